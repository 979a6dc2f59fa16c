import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import type { ImportFormat, NotCarried } from '#shared/ipc/index.ts';
import { mostPlaces } from '#shared/ipc/imports.ts';
import { tagName } from '#shared/collections/file-limits.ts';
import { readTags, tagsLine } from '#shared/collections/tag-list.ts';
import { importFormats } from '#shared/model/formats.ts';

/** The parts of a request that Croupier wrote into the file of another tool, for the day when it comes back. */
export type KeptRequest = Pick<CollectionRequest, 'operation' | 'form' | 'tags' | 'data' | 'overrides'>;

/** One request as another tool describes it. Variables in its texts are written as in Croupier. */
export interface SourceRequest {
  /** Its file, folders and name, for the user. */
  readonly where: string;
  /** Its position in the file, as in `NotCarried`. */
  readonly at: string;
  readonly folder: readonly string[];
  /** Empty without a name. */
  readonly name: string;
  readonly method: string;
  readonly address: string;
  /** Null without a body. */
  readonly body: string | null;
  /** The reason why an existing body is not read. */
  readonly unreadBody: string | null;
  /** The body exactly as in the file: the text that a hash was made of. */
  readonly rawBody: string | null;
  readonly notes: string;
  /** Tags of the other tool that are tags here. */
  readonly tags: CollectionRequest['tags'];
  /** True if a script runs before it and may insert what is missing. */
  readonly scripted: boolean;
  /** Null if Croupier did not write it, or if it was changed since. */
  readonly kept: KeptRequest | null;
  readonly take: CollectionRequest['take'];
  readonly expect: CollectionRequest['expect'];
  /** As in the file; their tokens are masked later. */
  readonly examples: CollectionRequest['examples'];
  /** Texts for a comment in its file: tests that were not understood. */
  readonly comments: readonly string[];
  /** The parts that are not carried over; if the request is not imported, only that. */
  readonly losses: readonly NotCarried[];
}

/** A request that stands alone: without a name, folders, notes, checks or examples. */
const bare = {
  at: '',
  folder: [],
  name: '',
  body: null,
  unreadBody: null,
  rawBody: null,
  notes: '',
  tags: [],
  scripted: false,
  kept: null,
  comments: [],
  take: {},
  expect: [],
  examples: [],
};

/**
 * Returns the request that a reader found. Its URL and its body stand there as in the file; `text` writes the variables in them as ours, or keeps
 * them from being some. What it does not have is left out.
 */
export function sourceRequest(
  {
    losses,
    rawBody = null,
    ...own
  }: Partial<Omit<SourceRequest, 'losses'>> & Pick<SourceRequest, 'where' | 'method' | 'address'> & { readonly losses: Losses },
  text: (text: string) => string,
): SourceRequest {
  const body = rawBody === null ? null : text(rawBody);
  return { ...bare, body, ...own, rawBody, address: text(own.address), losses: losses.all() };
}

export interface SourceFolder {
  /** Empty for the whole. */
  readonly path: readonly string[];
  readonly variables: Variables;
  readonly notes: string;
  /** Croupier wrote it: it comes back, even if it is empty. */
  readonly ours?: true;
}

/** One file, or several that belong together, as they were read. */
export interface Source {
  readonly format: ImportFormat;
  readonly requests: readonly SourceRequest[];
  readonly folders: readonly SourceFolder[];
}

/** Reports a part of one request, folder or file that is not carried over. */
export type Lose = (what: string, why: string, at?: string | readonly string[]) => void;
export type Losses = ReturnType<typeof createLosses>;

/**
 * Collects the parts that are not carried over; two equal remarks about one position become one, with both positions in the file.
 */
export function createLosses() {
  const found = new Map<string, NotCarried>();
  function add(where: string, what: string, why: string, at: string | readonly string[] = []): void {
    const places = typeof at === 'string' ? [at] : [...at];
    const name = JSON.stringify([where, what, why]);
    const known = found.get(name);
    if (known === undefined) found.set(name, { where, what, why, at: places.slice(0, mostPlaces) });
    else for (const place of places) if (known.at.length < mostPlaces && !known.at.includes(place)) known.at.push(place);
  }
  return {
    add,
    /** Returns `add` for one place. */
    of:
      (where: string): Lose =>
      (what, why, at) =>
        add(where, what, why, at),
    addAll(losses: readonly NotCarried[]): void {
      for (const { where, what, why, at } of losses) add(where, what, why, at);
    },
    all: () => [...found.values()],
  };
}

/** Returns the formats that are read, as a list in a sentence. */
export function importedKinds(): string {
  return new Intl.ListFormat('en').format(importFormats.map(({ what }) => what));
}

/** Returns whether the files of a format are recorded calls: their braces are text, and their tokens are of sessions that are over. */
export function isRecorded(format: ImportFormat): boolean {
  return ['curl', 'powershell', 'fetch', 'har'].includes(format);
}

/** Returns those of another tool's tags that are tags here, and reports the others. */
export function tagsAmong(names: readonly string[], at: string, lose: Lose): CollectionRequest['tags'] {
  const { tags } = readTags(tagsLine(names.filter((name) => tagName.pattern.test(name))));
  for (const name of names)
    if (!tags.includes(name)) lose(`the tag ${name}`, `A request has at most 50 tags. ${tagName.problem}`, at);
  return [...tags];
}

/** Reasons that more than one format has. */
export const reasons = {
  header: 'The workbench writes the headers of a call itself.',
  auth: 'Calls are signed with the key of the environment; there is no other authorization.',
  script: 'Scripts are not run. Say what they did with take, expect and variables.',
  disabled: 'It is switched off in the file.',
  secret: 'Secret values stay out of the files of a collection.',
  key: 'The private key is not a variable: it belongs into the keychain, under its environment.',
  description: 'Only requests, folders and collections have notes.',
  unknown: 'Requests here have nothing of the kind.',
  address: 'The URL comes from the environment that is chosen.',
  parameter: 'The operations of this API have none.',
  body: 'Bodies of this API are JSON.',
} as const;
