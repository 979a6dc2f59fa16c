/** The closed list of reasons for which a call into the workbench is refused or fails. */
export const errorCodes = [
  'invalid_input',
  'not_found',
  'conflict',
  'refused',
  'unsupported',
  'cancelled',
  'key_missing',
  'key_unavailable',
  'storage',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** An error that crosses processes as data: what happened, in words a user can act on. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Plain JSON that helps a program: a line and column, a path, a list of findings. Never a secret. */
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

/** Returns the place in a text that an error's details name, with line and column from 1; null if they name none. */
export function placeOf(details: unknown): { readonly line: number; readonly column: number } | null {
  if (typeof details !== 'object' || details === null || !('line' in details) || !('column' in details)) return null;
  return { line: Number(details.line), column: Number(details.column) };
}

/** Reasons and advice by the system's codes. */
const troubles: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space.',
  EDQUOT: 'your disk quota is full. Free some space.',
  EACCES: 'access is denied. Check the permissions.',
  EPERM: 'access is denied. Check the permissions.',
  EROFS: 'the disk is read-only. Check how it is mounted.',
  EISDIR: 'a folder has this name. Rename or move it.',
  ENOTDIR: 'a file is in the place of its folder. Rename or move it.',
  EEXIST: 'it already exists. Rename or move it.',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one.',
  ENOENT: 'it no longer exists.',
};

/** Returns why a file could not be written, locked or read, and what to do: the end of a sentence, and one more. */
export function reasonAndAdvice(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const what = cause instanceof Error && (code === '' || code === 'ERR_SQLITE_ERROR') ? cause.message : code || String(cause);
  return troubles[code] ?? `${what}. Check the disk and the permissions.`;
}

/** An error as it crosses processes. */
export interface ErrorReply {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

/** Ends a switch over a union, so that a new member is a compile error. */
export function assertNever(value: never): never {
  throw new AppError('internal', `Unexpected value: ${JSON.stringify(value)}`);
}
