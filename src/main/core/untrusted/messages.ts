import type { ErrorReply } from '#shared/errors.ts';

/** A job for a thread; its input holds plain data and bytes. */
export interface JobRequest {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Messages of a thread about its job: that it begins, and its result. `fault`: an error that is a mistake of ours. `exceeded`: the
 * engine gave up on a text, because an expression or a text of its own would have been too long for it.
 */
export type JobReply = { readonly begun: true } | JobResult;
export type JobResult =
  | { readonly value: unknown }
  | { readonly error: ErrorReply }
  | { readonly exceeded: true }
  | { readonly fault: string; readonly stack: string };

/** Jobs by their names, each loaded when it is first requested. */
export type JobTable = Readonly<Record<string, () => Promise<(input: never) => unknown>>>;
type Job<Table extends JobTable, Name extends keyof Table> = Awaited<ReturnType<Table[Name]>>;
export type InputOf<Table extends JobTable, Name extends keyof Table> = Parameters<Job<Table, Name>>[0];
export type OutputOf<Table extends JobTable, Name extends keyof Table> = Awaited<ReturnType<Job<Table, Name>>>;
