import { AppError } from './errors.ts';

/** A fault of the program, in texts that hold no value of the user's and no path of the computer. */
export interface Fault {
  /** Name and message of the error, on one line. */
  readonly message: string;
  /** Functions and files of the program that led to the throw, innermost first. */
  readonly stack: readonly string[];
}

const mostFrames = 12;
const mostCharacters = 300;

/** Returns whether an error is a fault of the program: any error but an AppError, or an AppError that stands for a fault in another process. */
export function isFault(error: unknown): boolean {
  return !(error instanceof AppError) || faultIdOf(error) !== null;
}

/** Returns the ID under which core reported the fault that this refusal stands for, or null for a refusal that is not a fault. */
export function faultIdOf(error: AppError): string | null {
  const { details } = error;
  if (error.code !== 'internal' || typeof details !== 'object' || details === null || !('fault' in details)) return null;
  return typeof details.fault === 'string' ? details.fault : null;
}

/** Describes whatever was thrown. */
export function describeFault(error: unknown): Fault {
  const root = error instanceof AppError && error.cause !== undefined ? error.cause : error;
  if (!(root instanceof Error)) return { message: `Thrown without an error: ${typeof root}`, stack: [] };
  const stack = (root.stack ?? '')
    .split('\n')
    .map((line) => frameIn(line.trim()))
    .filter((frame) => frame !== null)
    .slice(0, mostFrames);
  return { message: `${root.name}: ${withoutValues(root.message)}`, stack };
}

/** Returns a key that is equal for repetitions of the same fault. */
export function faultKey({ message, stack }: Fault): string {
  return `${message}\n${stack[0] ?? ''}`;
}

/** Writes a fault as a text to copy into a report. `where`: the host or the page, with its version. */
export function faultDetails({ message, stack }: Fault, where: string): string {
  return [where, message, ...stack.map((frame) => `    at ${frame}`)].join('\n');
}

/** Writes an error for a log: the message of an AppError, message and stack of a fault. */
export function errorForLog(error: unknown): string {
  if (!isFault(error)) return (error as AppError).message;
  const { message, stack } = describeFault(error);
  const head = error instanceof AppError ? `${error.message}: ${message}` : message;
  return [head, ...stack.map((frame) => `    at ${frame}`)].join('\n');
}

/**
 * Removes values from a message: JavaScript's errors quote them, and one may be a key or a token. A quoted text stays only if it looks
 * like a name of the program. Paths and URLs keep only their last part.
 */
function withoutValues(message: string): string {
  const oneLine = message
    .replaceAll(/\s+/g, ' ')
    .replace(/^(Unexpected token) .*$/, '$1 in JSON')
    .replace(/^(Cannot convert) .* (to a BigInt)/, '$1 a value $2')
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, (quoted) => (/^.[\w$.#@:-]{1,32}.$/.test(quoted) ? quoted : '[hidden]'))
    .replaceAll(/[a-z]+:\/\/[^\s'"`)]+|(?:[A-Za-z]:\\|\/)[^\s'"`,)]+/g, lastPart)
    // As long as a token or a key, with a digit: not a word of a sentence.
    .replaceAll(/(?=[\w+=-]*\d)[\w+=-]{20,}/g, '[hidden]');
  return oneLine.length > mostCharacters ? `${oneLine.slice(0, mostCharacters)}…` : oneLine;
}

/** Returns one line of a stack, `send (assets/index-1.js:2:3)`; null if the line is not a frame. */
function frameIn(line: string): string | null {
  const match = /^at (?:(?<name>[^()]*?) \()?(?<place>[^\s()]+:\d+:\d+|native|<anonymous>)\)?$/.exec(line);
  if (match?.groups === undefined) return null;
  const { name = '', place = '' } = match.groups;
  const short = place.startsWith('node:') ? place : lastPart(place);
  return name === '' ? short : `${name} (${short})`;
}

/** Returns the end of a path or URL from the program's own folder on, else its file name; without query and fragment. */
function lastPart(place: string): string {
  const [path = ''] = place.split(/[?#]/);
  const position = /(?::\d+)*$/.exec(place)?.[0] ?? '';
  const bare = path.replace(/(?::\d+)*$/, '').replaceAll('\\', '/');
  const inside = /(?:^|\/)((?:src|out|assets|chunks|node_modules)\/[^\s]+)$/.exec(bare)?.[1];
  return `${inside ?? bare.split('/').at(-1) ?? ''}${position}`;
}
