import { createStore, type StoreApi } from 'zustand/vanilla';
import { base64, bytesOfFile } from '#renderer/api/bytes.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { maskedInPack, packAdvice, packSubject } from '#shared/calls/pack-words.ts';
import { AppError } from '#shared/errors.ts';
import type { Client, ListedPack } from '#shared/ipc/index.ts';
import { lengthExcess } from '#shared/json/measure.ts';
import { packFormat } from '#shared/model/pack-environment.ts';

/** A file that the user chose or dropped. */
type GivenFile = Pick<File, 'name' | 'size' | 'slice' | 'arrayBuffer'>;

interface PacksState {
  /** The packs that are open, in this page or another. */
  readonly packs: readonly ListedPack[];
  readonly load: () => Promise<void>;
  /** Opens the JSON of packs, each beside its page if that is among the files. A notice says why one is not opened. */
  readonly open: (files: readonly GivenFile[]) => Promise<void>;
  /** Opens those files that are packs; returns the others. */
  readonly take: <T extends GivenFile>(files: readonly T[]) => Promise<readonly T[]>;
  readonly close: (pack: ListedPack) => Promise<void>;
}

export type PacksStore = StoreApi<PacksState>;

export interface PacksDeps {
  readonly notify: Notify;
  readonly newId: () => string;
  readonly say: (text: string) => void;
  readonly onOpened: (pack: ListedPack) => void;
  /** Called for each pack that was open and is closed; `here`: the user closed it in this page. */
  readonly onClosed: (pack: ListedPack, here: boolean) => void;
}

/** Bytes of a file in one call. */
const pieceBytes = 600_000;
/** The mark of a pack is in its first lines. */
const headBytes = 1_600;

/** Creates the list of open packs, which core holds for all pages. */
export function createPacksStore(client: Client, { notify, newId, say, onOpened, onClosed }: PacksDeps): PacksStore {
  return createStore<PacksState>()((set, get) => {
    /** IDs of packs that are being closed here. */
    const closing = new Set<string>();
    let round = 0;

    async function load(): Promise<void> {
      round += 1;
      const mine = round;
      try {
        const { packs } = await client.call('packs.list', {});
        if (mine !== round) return;
        const closed = get().packs.filter(({ id }) => !packs.some((pack) => pack.id === id));
        set({ packs });
        for (const pack of closed) onClosed(pack, closing.delete(pack.id));
      } catch (error) {
        reportIfFault(error);
      }
    }

    async function openOne(file: GivenFile, page: GivenFile | null): Promise<void> {
      try {
        const pack = await upload(client, newId(), file, page);
        await load();
        onOpened(pack);
        say(openedText(pack));
      } catch (thrown) {
        notify({ tone: 'bad', text: `${file.name}: ${asAppError(thrown).message}` });
      }
    }

    client.on('packs.changed', () => startWork(load()));

    return {
      packs: [],
      load,
      async open(files) {
        const pages = files.filter(isPage);
        const others = files.filter((file) => !isPage(file));
        const beside = (file: GivenFile) => pages.find(({ name }) => baseOf(name) === baseOf(file.name)) ?? null;
        for (const file of others) await openOne(file, beside(file));
        // Core says what is wrong with a page alone.
        for (const page of pages) if (!others.some(({ name }) => baseOf(name) === baseOf(page.name))) await openOne(page, null);
      },
      async take(files) {
        const marked = await Promise.all(files.map(isPack));
        const packs = files.filter((_, at) => marked[at] === true);
        const names = new Set(packs.map(({ name }) => baseOf(name)));
        const mine = files.filter((file, at) => marked[at] === true || (isPage(file) && names.has(baseOf(file.name))));
        if (mine.length > 0) await get().open(mine);
        return files.filter((file) => !mine.includes(file));
      },
      async close(pack) {
        closing.add(pack.id);
        try {
          await client.call('packs.close', { id: pack.id });
          await load();
          say(closedText(pack));
        } catch (thrown) {
          closing.delete(pack.id);
          notify({ tone: 'bad', text: `${pack.name} was not closed. ${asAppError(thrown).message}` });
        }
      },
    };
  });
}

/** Says that a pack is closed, here or elsewhere. */
export function closedText({ name }: ListedPack): string {
  return `${name} is closed. The history shows your own calls.`;
}

/** Says of a pack what it holds and what it masks. */
function openedText(pack: ListedPack): string {
  const calls = `${pack.calls.toLocaleString('en')} ${pack.calls === 1 ? 'call' : 'calls'}`;
  return [`${pack.name} is open, read-only: ${calls}.`, maskedInPack(pack)].filter((part) => part !== null).join(' ');
}

async function upload(client: Client, ticket: string, file: GivenFile, page: GivenFile | null): Promise<ListedPack> {
  const excess = lengthExcess(file.size, packSubject, packAdvice);
  if (excess !== null) throw new AppError('invalid_input', excess);
  const bytes = await bytesOfFile(file);
  for (let at = 0; at === 0 || at < bytes.length; at += pieceBytes)
    await client.call('packs.upload', { ticket, piece: base64(bytes.subarray(at, at + pieceBytes)) });
  return client.call('packs.open', { ticket, name: file.name.slice(0, 1_000), page: page === null ? null : await sha256(page) });
}

async function sha256(file: GivenFile): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await bytesOfFile(file)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function isPack(file: GivenFile): Promise<boolean> {
  try {
    // A wider form of Unicode has zeros between the characters of ASCII.
    const head = new TextDecoder().decode(await file.slice(0, headBytes).arrayBuffer()).replaceAll('\0', '');
    return head.includes(`"format": "${packFormat}"`);
  } catch {
    // A directory cannot be read: whoever takes it next says so.
    return false;
  }
}

function isPage({ name }: GivenFile): boolean {
  return /\.html?$/i.test(name);
}

function baseOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
