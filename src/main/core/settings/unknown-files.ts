import { join } from 'node:path';
import { settingNames } from '#shared/ipc/settings.ts';
import { readTextUpTo } from '../files/files.ts';
import { keyIndexFields } from '../keys/key-index.ts';
import { Choices } from './secret-choices.ts';

const mostBytes = 16_000_000;

/**
 * Names the files of the home that hold fields unknown to this version: another version may have written them, and they stay as
 * they are. `collectionFields` and `commandFields` are those that this version writes to `collections.json` and
 * `token-commands.json`. A file that cannot be read is reported where it is needed. The page judges its own values.
 */
export function unknownFiles(home: string, collectionFields: readonly string[], commandFields: readonly string[]): string[] {
  const settings = fieldsOf(join(home, 'settings.json'));
  const inSettings =
    hasOthers(settings, settingNames) ||
    Object.values(settings).some((value) => typeof value !== 'string') ||
    !Choices.safeParse(parsed(settings['secretChoices'], { salt: '', choices: {} })).success;
  return [
    ...(inSettings ? ['settings.json'] : []),
    ...(hasOthers(fieldsOf(join(home, 'collections.json')), collectionFields) ? ['collections.json'] : []),
    ...(hasOthers(fieldsOf(join(home, 'keys.json')), keyIndexFields) ? ['keys.json'] : []),
    ...(hasOthers(fieldsOf(join(home, 'token-commands.json')), commandFields) ? ['token-commands.json'] : []),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function hasOthers(fields: Fields, known: readonly string[]): boolean {
  return Object.keys(fields).some((name) => !known.includes(name));
}

function fieldsOf(path: string): Fields {
  try {
    return parsed(readTextUpTo(path, mostBytes));
  } catch {
    return {};
  }
}

/** The fields of a JSON object; `otherwise` where the text is none. */
function parsed(text: unknown, otherwise: Fields = {}): Fields {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : otherwise;
  } catch {
    return otherwise;
  }
}
