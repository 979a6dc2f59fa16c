import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import type { ImportFormat, NotCarried } from '#shared/ipc/index.ts';
import { mostPlaces } from '#shared/ipc/imports.ts';
import { tagName } from '#shared/collections/file-limits.ts';
import { readTags, tagsLine } from '#shared/collections/tag-list.ts';
import { importFormats } from '#shared/model/formats.ts';

/** The parts of a request that Croupier wrote into the file of another tool, for the day when it comes back. */
export type KeptRequest = Pick<CollectionRequest, 'operation' | 'form' | 'tags' | 'data' | 'overrides'>;

/** Begins a request of another tool: what a reader does not set is as in one that stands alone. */
export function createRequest(where: string, at = '') {
  const losses = createLosses();
  return {
    /** Its file, folders and name, for the user. */
    where,
    /** Its position in the file, as in `NotCarried`. */
    at,
    folder: [] as readonly string[],
    /** Empty without a name. */
    name: '',
    method: 'GET',
    address: '',
    /** The body exactly as in the file: the text that a hash was made of. Null without a body. */
    rawBody: null as string | null,
    /** The reason why an existing body is not read. */
    unreadBody: null as string | null,
    notes: '',
    /** Tags of the other tool that are tags here. */
    tags: [] as CollectionRequest['tags'],
    /** True if a script runs before it and may insert what is missing. */
    scripted: false,
    /** Null if Croupier did not write it, or if it was changed since. */
    kept: null as KeptRequest | null,
    take: {} as CollectionRequest['take'],
    expect: [] as CollectionRequest['expect'],
    /** As in the file; their tokens are masked later. */
    examples: [] as CollectionRequest['examples'],
    /** Texts for a comment in its file: tests that were not understood. */
    comments: [] as string[],
    losses,
    lose: losses.of(where),
  };
}
export type RequestDraft = ReturnType<typeof createRequest>;

/** One request as another tool describes it. Variables in its URL and its body are written as in Croupier. */
export interface SourceRequest extends Readonly<Omit<RequestDraft, 'losses' | 'lose'>> {
  readonly body: string | null;
  /** The parts that are not carried over; if the request is not imported, only that. */
  readonly losses: readonly NotCarried[];
}

/** Ends a request. `text` writes the variables of its texts as ours, or keeps them from being some. */
export function sourceRequest({ losses, ...own }: RequestDraft, text: (text: string) => string): SourceRequest {
  const body = own.rawBody === null ? null : text(own.rawBody);
  return { ...own, body, address: text(own.address), losses: losses.all() };
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
  header: 'Croupier sets the headers itself.',
  auth: "Croupier signs calls with the environment's key and has no other authorization.",
  script: "Croupier doesn't run scripts. Use `take`, `expect` and variables instead.",
  disabled: 'It is disabled in the file.',
  secret: "Secret values don't belong in a collection's files.",
  key: 'The private key is not a variable. Set it in its environment.',
  description: 'Only requests, folders and collections have notes.',
  unknown: 'Croupier has no equivalent.',
  address: 'The URL comes from the selected environment.',
  parameter: 'This API has no URL parameters.',
  body: 'This API accepts only JSON bodies.',
} as const;
