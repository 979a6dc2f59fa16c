import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { packSubject } from '#shared/calls/pack-words.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, CallPage, CallSummary, ListedPack, PackOfCall, ParsedInput, KeptPart } from '#shared/ipc/index.ts';
import { beyond } from '#shared/model/readers.ts';
import type { SearchedBy } from '../history/memory-history.ts';
import type { Reading } from '../untrusted/jobs.ts';
import type { OpenPack } from './packs.ts';
import type { Pack } from './read-pack.ts';

export interface OpenPacksDeps {
  readonly reading: Reading;
  /** Returns the names of the environments whose private key the bytes hold, as far as that can be decided now. */
  readonly keyHolders: (bytes: Uint8Array) => Promise<readonly string[]>;
  readonly searchedBy: SearchedBy;
  readonly onChange: () => void;
}

/** Support packs that pages opened. Its members are those of the inside contract, and the reading of calls by their IDs. */
export interface OpenPacks {
  upload(input: ParsedInput<'packs.upload'>): void;
  open(input: ParsedInput<'packs.open'>): Promise<ListedPack>;
  list(): ListedPack[];
  close(id: string): Promise<boolean>;
  /** Fails with `not_found` if the pack is closed. */
  calls(id: string, query: ParsedInput<'calls.list'>): Promise<CallPage>;
  /** Fails with `not_found`, as the next one does. */
  get(callId: number): Call;
  body(callId: number, part?: KeptPart): Uint8Array;
  closeAll(): Promise<void>;
}

/** One open pack: its calls have the IDs from `first` on, in the order of their numbers. */
interface Opened {
  readonly listed: ListedPack;
  readonly pack: OpenPack;
  readonly first: number;
}

/** Pieces of a file that is on its way. */
interface Upload {
  readonly pieces: Buffer[];
  bytes: number;
}

/** Each holds some four times its size in memory. */
const mostOpen = 8;
/** Of more, the oldest is dropped: its page went away. */
const mostUploads = 2;
const longestName = 80;

/**
 * Creates the list of open packs. IDs of calls are not given twice, nor by a later program that a page connects to again, so that a page never
 * takes one pack's call for another's.
 */
export function createOpenPacks({ reading, keyHolders, searchedBy, onChange }: OpenPacksDeps): OpenPacks {
  const opened = new Map<string, Opened>();
  const uploads = new Map<string, Upload>();
  // Each second has room for 100,000 calls, and such a number has 15 digits.
  let lowest = -Math.floor(Date.now() / 1_000) * 100_000;
  let ended = false;

  async function open({ ticket, name, page }: ParsedInput<'packs.open'>): Promise<ListedPack> {
    const upload = uploads.get(ticket);
    uploads.delete(ticket);
    if (upload === undefined)
      throw new AppError('not_found', 'The support pack was not opened: others were opened in the meantime. Open it again.');
    const bytes = Buffer.concat(upload.pieces);
    // The thread gets a copy.
    await setImmediate();
    const { openPack } = await import('./packs.ts');
    const pack = await openPack((address) => read(bytes, address), page, searchedBy);
    const same = [...opened.values()].find((one) => one.pack.digest === pack.digest);
    const full = opened.size >= mostOpen;
    if (ended || same !== undefined || full) await pack.close();
    if (ended) throw new AppError('cancelled', 'Croupier is closing.');
    if (same !== undefined) return same.listed;
    if (full)
      throw new AppError('conflict', `${mostOpen} support packs are open, which is the limit. Close one, then try again.`);
    const { calls, environments, madeAt, program, maskedCalls, maskedParts } = pack.facts;
    const listed: ListedPack = {
      id: randomUUID(),
      name: freeName(name),
      calls,
      environments: [...environments],
      madeAt,
      program,
      maskedCalls,
      maskedParts: [...maskedParts],
      page: pack.facts.page,
    };
    lowest -= calls;
    opened.set(listed.id, { listed, pack, first: lowest });
    onChange();
    return listed;
  }

  async function read(bytes: Buffer, address: string): Promise<Pack> {
    const pack = await reading.run('packs.read', { bytes, address }, { subject: packSubject, bytes: bytes.length });
    const holders = await keyHolders(bytes);
    if (holders.length === 0) return pack;
    throw new AppError(
      'refused',
      `The support pack was not opened: it contains the private key of ${holders.join(' and ')}. Everyone with the pack has that key: ask the provider for a new one.`,
    );
  }

  function freeName(name: string): string {
    const wanted =
      name === ''
        ? 'Support pack'
        : name.length > longestName
          ? `${Array.from(name)
              .slice(0, longestName - 1)
              .join('')}…`
          : name;
    const taken = new Set([...opened.values()].map(({ listed }) => listed.name));
    for (let number = 2, free = wanted; ; free = `${wanted} (${number++})`) if (!taken.has(free)) return free;
  }

  async function close(id: string): Promise<boolean> {
    const one = opened.get(id);
    if (one === undefined) return false;
    opened.delete(id);
    onChange();
    await one.pack.close();
    return true;
  }

  function holderOf(callId: number): Opened {
    for (const one of opened.values()) if (callId >= one.first && callId < one.first + one.pack.numbers.length) return one;
    throw new AppError('not_found', 'The support pack of this call is closed. Open it again.');
  }

  const numberOf = ({ pack, first }: Opened, callId: number) => pack.numbers[callId - first] ?? 0;

  return {
    upload({ ticket, piece }) {
      const upload = uploads.get(ticket) ?? { pieces: [], bytes: 0 };
      const bytes = Buffer.from(piece, 'base64');
      upload.bytes += bytes.length;
      const excess = beyond('packs.read', { bytes: upload.bytes });
      if (excess !== null) {
        uploads.delete(ticket);
        throw new AppError('invalid_input', `${packSubject} was not read: it ${excess}`);
      }
      upload.pieces.push(bytes);
      uploads.set(ticket, upload);
      const [oldest] = uploads.keys();
      if (uploads.size > mostUploads && oldest !== undefined) uploads.delete(oldest);
    },
    open,
    list: () => [...opened.values()].map(({ listed }) => listed),
    close,
    async calls(id, { limit, match, filter, text, before }) {
      const one = opened.get(id);
      if (one === undefined) throw new AppError('not_found', 'This support pack is closed. Open it again.');
      const query = { limit, match, filter, ...(text === undefined ? {} : { text }) };
      return pageOf(one, await one.pack.list({ ...query, ...beforeIn(one, before) }));
    },
    get(callId) {
      const one = holderOf(callId);
      return inPack(one, one.pack.get(numberOf(one, callId)));
    },
    body(callId, part) {
      const one = holderOf(callId);
      return one.pack.body(numberOf(one, callId), part);
    },
    async closeAll() {
      ended = true;
      uploads.clear();
      const closing = [...opened.values()].map(({ pack }) => pack.close());
      opened.clear();
      await Promise.all(closing);
    },
  };
}

/** Returns the position in the pack of an ID below which calls are wanted; nothing if that is all of them. */
function beforeIn({ pack, first }: Opened, before: number | undefined): { before?: number } {
  if (before === undefined || before >= first + pack.numbers.length) return {};
  return { before: pack.numbers[before - first] ?? 0 };
}

/** Returns the ID of the first call whose number is not below a position in the pack. */
function idAt({ pack, first }: Opened, position: number): number {
  const at = pack.numbers.findIndex((number) => number >= position);
  return first + (at === -1 ? pack.numbers.length : at);
}

function pageOf(one: Opened, { calls, searchedFrom, rest, ...numbers }: CallPage): CallPage {
  return {
    ...numbers,
    calls: calls.map((call) => inPack(one, call)),
    searchedFrom: searchedFrom === null ? null : idAt(one, searchedFrom),
    rest: rest === null ? null : { ...rest, before: idAt(one, rest.before) },
  };
}

/** Returns a call under its ID here, with its number in the pack. */
function inPack<T extends CallSummary>(one: Opened, call: T): T {
  const { id, name } = one.listed;
  const pack: PackOfCall = { id, name, number: call.id };
  return { ...call, id: idAt(one, call.id), pack };
}
