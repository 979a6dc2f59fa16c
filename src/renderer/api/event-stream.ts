/** Takes the pieces of a server-sent event stream as they arrive and gives back the data of every event that is complete. */
export interface EventStreamParser {
  readonly push: (piece: string) => string[];
}

/** A parser of one stream: data lines of an event are joined by line feeds, comments and other fields are passed over. */
export function createEventStreamParser(): EventStreamParser {
  let rest = '';
  let data: string[] = [];
  return {
    push(piece) {
      const done: string[] = [];
      rest += piece;
      // A carriage return at the very end may be half of a line break that is still on its way.
      for (let match = lineBreak.exec(rest); match !== null; match = lineBreak.exec(rest)) {
        const line = rest.slice(0, match.index);
        rest = rest.slice(match.index + match[0].length);
        if (line === '') {
          if (data.length > 0) done.push(data.join('\n'));
          data = [];
        } else if (line === 'data') data.push('');
        else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      }
      return done;
    },
  };
}

const lineBreak = /\r\n|\n|\r(?!$)/;
