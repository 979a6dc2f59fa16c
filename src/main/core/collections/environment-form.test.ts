import { describe, expect, it } from 'vitest';
import { EnvironmentFile } from '#shared/collections/environment-file.ts';
import { AppError } from '#shared/errors.ts';
import { fc } from '#testing/fast-check.ts';
import { editorProblems } from '#testing/file-validator.ts';
import { environmentForm } from './environment-form.ts';

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const required = ['baseUrl: https://api.example.com', 'platform: 1', 'partnerId: 42', 'production: false'];

const commented = lines(
  '# Staging, for everybody',
  'baseUrl: https://api.example.com   # since May',
  'platform: 1',
  "partnerId: '42'",
  '',
  '# Real players: no',
  'production: false',
  'defaults:',
  '  currency: EUR # as agreed',
  'answers:',
  '  # asked by mail',
  '  amounts.unit:',
  '    value: minor',
  '    date: 2026-01-31',
);

function faultOf(source: string): { message: string; line?: number; excerpt?: string } {
  try {
    environmentForm.read(source);
  } catch (error) {
    if (error instanceof AppError) return { message: error.message, ...(error.details as object) };
    throw error;
  }
  throw new Error('It was read.');
}

describe('a file of an environment', () => {
  it('is read with numbers as their text, and the mark as a boolean', () => {
    const { value } = environmentForm.read(commented);
    expect(editorProblems('environment', commented)).toEqual([]);
    expect(value).toMatchObject({
      baseUrl: 'https://api.example.com',
      partnerId: '42',
      production: false,
      defaults: { currency: 'EUR' },
      answers: { 'amounts.unit': { value: 'minor', date: '2026-01-31' } },
    });
  });

  it('keeps every line of an edit but the changed ones', () => {
    const { value } = environmentForm.read(commented);
    const edited = environmentForm.edit(commented, {
      ...value,
      baseUrl: 'https://b.example.com',
      production: true,
      answers: { 'amounts.unit': { ...value.answers['amounts.unit']!, value: 'major' } },
    });
    expect(edited).toBe(
      commented
        .replace('https://api.example.com ', 'https://b.example.com ')
        .replace('production: false', 'production: true')
        .replace('value: minor', 'value: major'),
    );
  });

  it.each<[what: string, source: string, line: number, message: RegExp]>([
    ['without the mark of production', lines(...required.slice(0, 3)), 1, /production is missing/],
    ['with a mark that is not one', lines(...required.slice(0, 3), 'production: no'), 4, /true or false/],
    ['with a partner ID that is not a number', lines(...required, 'timeZone: UTC').replace('42', '4x'), 3, /whole number/],
    ['with a partner ID with a zero in front', lines(...required).replace('42', '042'), 3, /whole number/],
    ['with a partner ID beyond what is exact', lines(...required).replace('42', '9007199254740993'), 3, /whole number/],
    ['with a time beyond ten minutes', lines(...required, 'launchRules:', '  slowAfter: 601'), 6, /from 1 to 600/],
    ['with a time that is no number of seconds', lines(...required, 'launchRules:', '  slowAfter: 010'), 6, /from 1 to 600/],
    ['with a URL in clear', lines(...required).replace('https', 'http'), 1, /http:\/\//],
    ['with the path that Croupier adds', lines(...required).replace('.com', '.com/serviceApi.php'), 1, /serviceApi/],
    ['with a zone that nobody knows', lines(...required, 'timeZone: Mars/Base'), 5, /time zone/],
    ['with a CA in another folder', lines(...required, 'ca: ../ca.pem'), 5, /in the same folder/],
    ['with a CA at an absolute path', lines(...required, 'ca: /etc/ssl/ca.pem'), 5, /in the same folder/],
    ['with a hidden CA', lines(...required, 'ca: .ca.pem'), 5, /in the same folder/],
    ['with a field that is near to one', lines(...required, 'timezone: UTC'), 5, /Did you mean timeZone/],
    ['with a field that nobody knows', lines(...required, 'proxy: https://p.example'), 5, /newer version/],
    ['with a field of the home', lines(...required, 'defaults:', '  playerId: me'), 6, /each machine has its own player/],
    ['with an anchor', lines(...required, 'walletUrl: &a https://w.example'), 5, /Anchors/],
    ['with a tag', lines(...required, 'timeZone: !!str UTC'), 5, /Tags/],
    ['with a field twice', lines(...required, 'production: true'), 5, /appears twice/],
    ['with a second document', lines(...required, '---', 'production: true'), 5, /second document/],
  ])('%s is refused at its line', (_what, source, line, message) => {
    const fault = faultOf(source);
    expect(fault.message).toMatch(message);
    expect(fault.line).toBe(line);
    // YAML itself, where 042 is 42, URLs, zones and file names are the reader's alone.
    const isSeen = !/Anchors|Tags|http:|serviceApi|time zone|same folder/.test(fault.message) && !/: '?0\d/.test(source);
    if (isSeen) expect(editorProblems('environment', source)).not.toEqual([]);
  });

  const key = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
  it.each<[what: string, source: string, line: number]>([
    ['a field named like a key', lines(...required, 'privateKey: abcd'), 5],
    ['a field named like a token', lines(...required, 'defaults:', '  token: abcd'), 6],
    ['a key in a field of ours', lines(...required, 'defaults:', `  exitURL: ${key}`), 6],
    [
      'a key in evidence',
      lines(...required, 'answers:', '  amounts.unit:', '    value: minor', `    evidence: it is ${key}.`),
      8,
    ],
    ['a key under a name that says nothing', lines(...required, `remark: ${key}`), 5],
    ['a key as the name of a field', lines(...required, `${key}: x`), 5],
    ['a key in a comment', lines(...required, `# ${key}`), 5],
    ['a key behind escapes', lines(...required, `remark: "\\x39${key.slice(1)}"`), 5],
    ['a key in a folded block', lines(...required, 'remark: >-', `  for you:`, `  ${key}`), 5],
    ['a token in a query', lines(...required, 'defaults:', `  exitURL: https://x.example/?t=${key.slice(0, 40)}`), 6],
    ['a login in a URL', lines(...required, 'defaults:', '  exitURL: https://me:pw@x.example/'), 6],
    ['a password in a comment', lines(...required, '# password: hunter22'), 5],
    ['a private key', lines(...required, 'remark: |', '  -----BEGIN PRIVATE KEY-----', '  MIIE'), 5],
  ])('that holds %s is refused, and the error repeats nothing of it', (_what, source, line) => {
    const fault = faultOf(source);
    expect(fault.line).toBe(line);
    expect(fault.message).toMatch(/made for git/);
    expect(JSON.stringify(fault)).not.toMatch(/9f86d|881884c7|hunter22|MIIE|me:pw|abcd/);
  });

  it('does not write what it would not read', () => {
    const { value } = environmentForm.read(lines(...required));
    expect(() => environmentForm.print({ ...value, defaults: { exitURL: `https://x.example/?k=${key}` } })).toThrow(
      /made for git/,
    );
    expect(() => environmentForm.edit(lines(...required), { ...value, defaults: { exitURL: key } })).toThrow();
  });
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((one) => one.trim() !== '');
const whole = fc.maxSafeInteger().map(String);
const environmentFile: fc.Arbitrary<EnvironmentFile> = fc
  .record({
    baseUrl: fc.webUrl({ validSchemes: ['https'] }),
    platform: whole,
    partnerId: whole,
    production: fc.boolean(),
    timeZone: fc.constantFrom('', 'UTC', 'Europe/Berlin'),
    serialization: fc.constantFrom(undefined, 'php' as const, 'verbatim' as const),
    ca: fc.constantFrom('', 'ca.pem', 'Staging EU.crt'),
    defaults: fc.record({ currency: text, lang: text }, { requiredKeys: [] }),
    launchRules: fc.record(
      {
        readyWithin: fc.integer({ min: 1, max: 600 }).map(String),
        noise: fc.array(text),
        readySigns: fc.constantFrom(['drawn'], ['text: a # b', 'selector: #spin']),
        errorTexts: fc.array(text),
      },
      { requiredKeys: [] },
    ),
    answers: fc.dictionary(fc.constantFrom('amounts.unit', 'time.order', 'rate.limits'), fc.record({ value: text })),
  })
  .map((one) => EnvironmentFile.parse(one));

/** Leaves what a file cannot say apart from its absence. */
const compact = (value: EnvironmentFile) =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (Array.isArray(one) && one.length === 0 ? undefined : one))) as unknown;
const isReadable = (value: EnvironmentFile) => {
  try {
    environmentForm.print(value);
    return true;
  } catch {
    return false;
  }
};

describe('any environment', () => {
  it('comes back from its file', () => {
    fc.assert(
      fc.property(environmentFile.filter(isReadable), (value) => {
        const printed = environmentForm.print(value);
        const read = environmentForm.read(printed).value;
        expect(editorProblems('environment', printed)).toEqual([]);
        expect(compact(read)).toEqual(compact(value));
      }),
    );
  });

  it('becomes any other one by an edit that keeps the comments and the equal lines', () => {
    fc.assert(
      fc.property(environmentFile.filter(isReadable), environmentFile.filter(isReadable), (before, after) => {
        const source = environmentForm.print(before).replaceAll('\n', ' # kept\n');
        const clean = isCommentable(before) ? source : environmentForm.print(before);
        const edited = environmentForm.edit(clean, after);
        expect(compact(environmentForm.read(edited).value)).toEqual(compact(after));
        const same = edited.split('\n').filter((line) => clean.split('\n').includes(line));
        for (const name of ['baseUrl', 'platform', 'partnerId', 'production'] as const)
          if (before[name] === after[name]) expect(same.some((line) => line.startsWith(`${name}:`))).toBe(true);
      }),
    );
  });
});

/** Blocks of several lines cannot have a comment behind each. */
function isCommentable(value: EnvironmentFile): boolean {
  return !JSON.stringify(value).includes('\\n');
}
