import { requestForm, settingsForm } from '#core/collections/collection-file.ts';
import { AppError } from '#shared/errors.ts';

/** Results of files that were made to hurt. */
export interface HostileFiles {
  readonly tried: number;
  /** Number of files refused with a sentence and a position. */
  readonly refused: number;
  readonly read: number;
  /** All other results: the beginning of the file and what happened. */
  readonly through: readonly string[];
}

const fields = ['operation: bet', 'take:', 'expect:', 'variables:', 'a: ', 'data: |', 'form: >-', '- code: 0', '- ', '? ', ': '];
const marks = ['&a ', '*a', '!!js/function ', '!!binary ', '!x ', '!<tag:yaml.org,2002:str> ', '<<: ', '%YAML 1.2', '---', '...'];
const signs = [
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '|',
  '>',
  '|+9',
  '\\',
  '\t',
  ' ',
  '  ',
  '\n',
  '\n  ',
  '\n    ',
  '\r\n',
  '\r',
  '# c',
];
const texts = [
  '\u0000',
  '\u001f',
  '\u2028',
  '\ufeff',
  '\ud800',
  '😀',
  'ż',
  '__proto__: ',
  'constructor: ',
  'x',
  '0',
  'true',
  '~',
];
const pieces = [...fields, ...marks, ...signs, ...texts];

/** Reads a number of files of pieces of YAML in any order, some of them repeated thousands of times; the same for the same seed. */
export function hostileFiles(rounds: number, seed = 13): HostileFiles {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    // The low bits of such a generator repeat.
    return (state >>> 8) % below;
  };
  const piece = () => pieces[random(pieces.length)] ?? '';
  let refused = 0;
  let read = 0;
  const through: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const parts = Array.from({ length: 1 + random(12) }, () => (random(4) === 0 ? piece().repeat(1 + random(2_000)) : piece()));
    const text = (random(2) === 0 ? 'operation: bet\n' : '') + parts.join(random(3) === 0 ? '\n' : '');
    const form = random(4) === 0 ? settingsForm : requestForm;
    try {
      form.read(text);
      read += 1;
    } catch (error) {
      const place = error instanceof AppError ? (error.details as { line?: unknown } | undefined) : undefined;
      if (error instanceof AppError && error.code === 'invalid_input' && typeof place?.line === 'number') refused += 1;
      else through.push(`${JSON.stringify(text.slice(0, 200))}: ${String(error).slice(0, 200)}`);
    }
  }
  return { tried: rounds, refused, read, through };
}
