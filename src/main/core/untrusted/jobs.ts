import type { InputOf } from './messages.ts';
import type { Threads } from './threads.ts';

/**
 * The jobs on untrusted text, by name. Each room adds its own with `declare module`, beside the function that does it. The table in
 * `app/reading-jobs.ts` does not compile until it has every one of them.
 */
export interface ReadingJobs {}

/** The table of the jobs: each is loaded when it is first requested. */
export type ReadingTable = { readonly [Name in keyof ReadingJobs]: () => Promise<ReadingJobs[Name]> };
export type JobInput<Name extends keyof ReadingJobs> = InputOf<ReadingTable, Name>;

/** Reads untrusted text in threads with limits of time and memory; short texts in place. */
export type Reading = Threads<ReadingTable>;
