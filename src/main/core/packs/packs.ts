import { AppError } from '#shared/errors.ts';
import type { Call, CallPage, KeptPart } from '#shared/ipc/index.ts';
import { createMemoryHistory, type SearchedBy } from '../history/memory-history.ts';
import type { SearchQuery } from '../history/search-engine.ts';
import type { Pack } from './read-pack.ts';

/** Facts about a pack that was opened. */
interface PackFacts extends Omit<Pack, 'masked' | 'format' | 'version' | 'sha256'> {
  readonly calls: number;
  /** The page compared with the one that was written with it; `absent`: nobody gave one. */
  readonly page: 'same' | 'different' | 'absent';
}

/** A support pack, opened to read. It is in memory alone and can neither send nor write. */
export interface OpenPack {
  readonly facts: PackFacts;
  /** Differs between packs of other calls or with another page. */
  readonly digest: string;
  /** The numbers of its calls, ascending. */
  readonly numbers: readonly number[];
  /** Fails as a search of the history does. */
  list(query: SearchQuery): Promise<CallPage>;
  /** Fails with `not_found`. */
  get(id: number): Call;
  /** Fails with `not_found`. */
  body(id: number, part?: KeptPart): Uint8Array;
  close(): Promise<void>;
}

/**
 * Opens a support pack that `read` reads into SQLite's memory at an address; `page` is the SHA-256 of the page beside it. Fails as `read` does.
 */
export async function openPack(
  read: (address: string) => Pack | Promise<Pack>,
  page: string | null,
  searchedBy: SearchedBy,
): Promise<OpenPack> {
  const [history, { masked: calls, sha256, ...facts }] = await createMemoryHistory(read, searchedBy);
  const masked = new Map(calls);

  /** Returns the masked parts of a call. Fails with `not_found`. */
  function partsOf(id: number): readonly string[] {
    const parts = masked.get(id);
    if (parts === undefined) throw new AppError('not_found', `There is no call ${id} in the support pack.`);
    return parts;
  }

  return {
    facts: {
      ...facts,
      calls: masked.size,
      page: page === null ? 'absent' : page === sha256.page ? 'same' : 'different',
    },
    digest: `${sha256.json} ${sha256.page}`,
    numbers: [...masked.keys()],
    async list(query) {
      const page = await history.list(query);
      return page.rest === null ? page : { ...page, rest: { ...page.rest, of: masked.size } };
    },
    get(id) {
      const parts = partsOf(id);
      const call = history.get(id);
      return parts.length === 0 ? call : { ...call, maskedParts: [...parts] };
    },
    body(id, part) {
      partsOf(id);
      return history.body(id, part);
    },
    close: history.close,
  };
}
