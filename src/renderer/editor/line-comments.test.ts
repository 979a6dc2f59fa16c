import { describe, expect, it } from 'vitest';
import { parseJson } from '#shared/json/parse.ts';
import { formOf, operationByName } from '#shared/provider/index.ts';
import { commentOf, fitComment, lineComments } from './line-comments.ts';
import type { SpecHelp } from './spec-help.ts';

const operation = operationByName('getLauncherURL');
const help: SpecHelp = {
  fields: formOf(operation, '').fields,
  since: '1.0.0',
  section: operation.section,
  notes: (field) => field.notes,
  variables: { known: [], uses: [] },
};

function comments(text: string) {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return lineComments(parsed.root, text, help).map(({ offset, text: comment }) => [text.slice(offset).split('"')[1], comment]);
}

describe('line comments', () => {
  it('stands at the lines of known fields, with the first sentence of the note', () => {
    const text = '{\n  "gameMode": "fun",\n  "own": 1,\n  "ip": "203.0.113.9"\n}';
    expect(comments(text)).toEqual([
      ['gameMode', 'real or fun; required'],
      ['ip', "The player's IP address; required"],
    ]);
  });

  it('leaves a line with several members alone', () => {
    expect(comments('{"gameMode":"fun","ip":"","lang":"en"}')).toEqual([]);
    expect(comments('{\n"gameMode":"fun","ip":"",\n"lang":"en"}').map(([name]) => name)).toEqual(['lang']);
  });

  it('says what only real mode needs', () => {
    const token = help.fields.find((field) => field.name === 'externalToken');
    expect(token).toBeDefined();
    if (token !== undefined) expect(commentOf(token, token.notes)).toContain('required in real mode');
  });

  it('is cut to the room it has, or left out', () => {
    expect(fitComment('Game identifier', 40)).toBe('Game identifier');
    expect(fitComment('Where the player goes on leaving', 16)).toBe('Where the playe…');
    expect(fitComment('Where the player goes on leaving', 9)).toBeNull();
  });
});
