import { join } from 'node:path';
import { settingNames } from '#shared/ipc/settings.ts';
import { readText } from '../files/files.ts';
import { Choices } from './secret-choices.ts';

/**
 * Names the files of the home that hold fields unknown to this version: another version may have written them, and they stay as
 * they are. `fields`: those that this version writes, by the name of each other file. A file that cannot be read is reported where
 * it is needed. The page judges its own values.
 */
export function unknownFiles(home: string, fields: Readonly<Record<string, readonly string[]>>): string[] {
  const settings = fieldsOf(join(home, 'settings.json'));
  const inSettings =
    hasOthers(settings, settingNames) ||
    Object.values(settings).some((value) => typeof value !== 'string') ||
    !Choices.safeParse(parsed(settings['secretChoices'], { salt: '', choices: {} })).success;
  const others = Object.entries(fields).filter(([name, known]) => hasOthers(fieldsOf(`${home}/${name}`), known));
  return [...(inSettings ? ['settings.json'] : []), ...others.map(([name]) => name)];
}

type Fields = Readonly<Record<string, unknown>>;

function hasOthers(fields: Fields, known: readonly string[]): boolean {
  return Object.keys(fields).some((name) => !known.includes(name));
}

function fieldsOf(path: string): Fields {
  try {
    return parsed(readText('home.settings', path));
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
