import type { RequestExample, Variables } from '#shared/collections/model.ts';

/** A file, with its path below the directory of the collection. */
export interface BrunoFile {
  readonly name: string;
  readonly text: string;
}

/** Writes the files of a collection in one form of Bruno's files. */
export interface BrunoPrinter {
  /** Ending of the files. */
  readonly extension: string;
  /** The names that files of requests cannot have, in lower case. */
  readonly reserved: readonly string[];
  /** Returns the text as a file gives it back. */
  textOf(text: string): string;
  holdsVariable(value: string): boolean;
  holdsExample(example: RequestExample): boolean;
  holdsTag(tag: string): boolean;
  /** Returns the files of the collection itself. */
  collection(parts: BrunoSettings & { readonly name: string }): BrunoFile[];
  /** `secret` names a variable whose value is entered in Bruno. */
  environment(name: string, variables: Variables, secret: string): string;
  folder(parts: BrunoSettings & { readonly name: string; readonly seq: number }): string;
  request(parts: BrunoRequest): string;
}

/** Settings of a collection or a folder. */
export interface BrunoSettings {
  readonly variables: Variables;
  /** Code that runs before each request. */
  readonly script: string;
  readonly notes: string;
}

interface BrunoRequest {
  readonly name: string;
  /** Position in its folder, from 1. */
  readonly seq: number;
  readonly url: string;
  readonly body: string;
  readonly tests: string;
  readonly notes: string;
  readonly tags: readonly string[];
  readonly examples: readonly RequestExample[];
}
