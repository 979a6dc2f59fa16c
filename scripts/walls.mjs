// The walls that every path has to pass, as rules over the sources that ship: `npm run lint` refuses each path past one, by its wall.

/**
 * A wall: a name, the files that it binds, what no line of theirs may hold, its doors (files that may), what a path past it is told, and
 * `planted`: lines that it has to refuse.
 */
export const walls = [
  {
    name: 'print',
    binds: /^src\/main\/(?!sandbox\/game\/)/,
    refuses: /\bprocess\.std(?:out|err)\b|\bconsole\.\w+\(/,
    doors: ['src/main/cli/program.ts', 'src/main/cli/main.ts', 'src/main/loopback/main.ts', 'src/main/electron/main.ts'],
    says: 'Print through the terminal of cli/print.ts.',
    planted: ["process.stdout.write('a');", "console.log('a');"],
  },
];

const isTest = /\.test\.tsx?$|^src\/testing\//;
/** A line that is code: neither a comment nor a text that a program writes out. */
const isCode = (line) => !/^\s*(?:\/\/|\/?\*|['"`])/.test(line);

/** Returns a line for each path past a wall. `texts` maps files to their texts. */
export function wallFaults({ texts }) {
  return walls.flatMap(({ name, binds, refuses, doors, says }) =>
    [...texts]
      .filter(([file]) => binds.test(file) && /\.tsx?$/.test(file) && !isTest.test(file) && !doors.includes(file))
      .flatMap(([file, text]) =>
        text
          .split('\n')
          .flatMap((line, at) =>
            isCode(line) && refuses.test(line) ? [`${file}:${at + 1}: past the wall of "${name}". ${says}`] : [],
          ),
      ),
  );
}
