import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { isJson } from '#shared/json/format.ts';
import type { TextComparison } from '#shared/json/compare-json.ts';
import type { CallComparison } from '#shared/calls/compare-calls.ts';
import { hexRows } from '#shared/signing/hash-input.ts';
import { loaded, type Loaded } from '#renderer/faults/faults.ts';
import type { BodyReader } from '#renderer/calls/body-reader.ts';
import type { BodyText } from '#renderer/calls/body-view.ts';

export type ComparisonView = 'hash' | 'envelope' | 'headers' | 'response';

/** The screen from which the comparison was opened; the way back leads there. */
export type ComparisonOrigin = 'history' | 'requests' | 'gateway';

/** IDs of the calls that are compared; at first the older one is on the left. */
interface ComparedPair {
  readonly left: number;
  readonly right: number;
}

/** Two texts as an editor shows them. */
interface ShownTexts {
  readonly left: string;
  readonly right: string;
}

type ComparedCalls = Loaded<{
  left: Call;
  right: Call;
  comparison: CallComparison;
  /** The two envelopes laid out in lines, every digit and escape as sent. */
  envelopes: ShownTexts;
}>;

/** The calls once they are compared. */
export type ReadyCalls = Extract<ComparedCalls, { state: 'ready' }>;

/** The body of one response; null without a response. */
type ComparedResponse = { readonly bytes: Uint8Array; readonly body: BodyText } | null;

export type ComparedResponses =
  /** More bytes than are fetched and laid out without a request of the user. */
  | { readonly state: 'gated'; readonly bytes: number }
  | Loaded<{
      left: ComparedResponse;
      right: ComparedResponse;
      comparison: TextComparison;
      /** True if they are equal byte for byte. */
      equal: boolean;
      /** Both laid out the same way, or both as rows of bytes if one is not UTF-8. */
      texts: ShownTexts;
      /** True if the texts hold all of both. */
      whole: boolean;
      asBytes: boolean;
      /** Number of bytes that the rows leave out. */
      hiddenBytes: number;
    }>;

interface ComparisonState {
  /** Null while nothing is compared. */
  readonly pair: ComparedPair | null;
  readonly origin: ComparisonOrigin;
  readonly view: ComparisonView;
  readonly calls: ComparedCalls;
  readonly responses: ComparedResponses;
  /** True if the user asked for the long texts of the hash input. */
  readonly showData: boolean;
  readonly open: (one: number, other: number, origin: ComparisonOrigin) => Promise<void>;
  readonly swap: () => Promise<void>;
  readonly retry: () => Promise<void>;
  readonly setView: (view: ComparisonView) => void;
  /** Fetches and lays out responses that are larger than the gate. */
  readonly showResponses: () => Promise<void>;
  readonly showLongData: () => void;
  readonly close: () => void;
}

export type ComparisonStore = StoreApi<ComparisonState>;

/** Number of bytes of both together above which responses are compared only on request. */
export const responsesGate = 2_097_152;
/** Number of characters of `data`, which is one long line, above which it is shown only on request. */
export const dataGate = 500_000;
const mostRows = 2_048;

/** Compares two calls at a time: fetches them by their IDs; `reader` compares them, long ones off the page's thread. */
export function createComparisonStore(client: Client, { reader }: { readonly reader: BodyReader }): ComparisonStore {
  return createStore<ComparisonState>()((set, get) => {
    /** Number of the pair; a reply for a pair that is no longer shown is dropped. */
    let round = 0;

    /** `viewed`: the user may have chosen a view of this pair, which stays. */
    async function load(pair: ComparedPair, viewed: boolean): Promise<void> {
      round += 1;
      const mine = round;
      set({ pair, calls: { state: 'loading' }, responses: { state: 'loading' }, showData: false });
      const calls = await loaded(compareCalls(pair));
      if (mine !== round) return;
      if (calls.state === 'failed') return set({ calls });
      const { left, right, comparison } = calls;
      // Without a hash, the fields are all that two calls have.
      set({ calls, ...(!viewed && comparison.hashInput.verdict === 'unsigned' ? { view: 'envelope' } : {}) });
      const bytes = (left.responseBytes ?? 0) + (right.responseBytes ?? 0);
      if (bytes > responsesGate) set({ responses: { state: 'gated', bytes } });
      else await readResponses(left, right);
    }

    async function compareCalls(pair: ComparedPair) {
      const [left, right] = await Promise.all([fetchCall(pair.left), fetchCall(pair.right)]);
      const comparison = await reader.compareCalls(left, right);
      const envelopes = { left: await layOut(left.request.bodyText), right: await layOut(right.request.bodyText) };
      return { left, right, comparison, envelopes };
    }

    async function fetchCall(id: number): Promise<Call> {
      try {
        return await client.call('calls.get', { id });
      } catch (error) {
        if (id < 0 || !(error instanceof AppError) || error.code !== 'not_found') throw error;
        throw new AppError('not_found', `Call ${id} is no longer in the history: it was deleted, here or by another program.`);
      }
    }

    /** Lays out JSON; other text stays as it is. */
    async function layOut(text: string): Promise<string> {
      const body = { text, malformedAt: null, isJson: isJson(text), unread: null };
      return (await reader.layOut(body, Number.POSITIVE_INFINITY)).text;
    }

    async function readResponses(one: Call, other: Call): Promise<void> {
      const mine = round;
      set({ responses: { state: 'loading' } });
      const responses = await loaded(compareResponses(one, other));
      if (mine === round) set({ responses });
    }

    async function compareResponses(one: Call, other: Call) {
      const [left, right] = await Promise.all([readResponse(one), readResponse(other)]);
      const unread = left?.body.unread ?? right?.body.unread ?? null;
      if (unread !== null) throw new AppError('refused', `${unread} The two are not compared.`);
      const comparison = await reader.compareTexts(left?.body.text ?? '', right?.body.text ?? '');
      const asBytes = (left?.body.malformedAt ?? null) !== null || (right?.body.malformedAt ?? null) !== null;
      const laidOut = async (one: ComparedResponse) => (one === null || asBytes ? null : reader.layOut(one.body));
      const laid = [await laidOut(left), await laidOut(right)];
      const texts = asBytes
        ? { left: bytesText(left), right: bytesText(right) }
        : { left: laid[0]?.text ?? '', right: laid[1]?.text ?? '' };
      const whole = laid.every((one) => one?.whole ?? true);
      const longest = Math.max(left?.bytes.length ?? 0, right?.bytes.length ?? 0);
      const hiddenBytes = asBytes ? Math.max(0, longest - mostRows * 16) : 0;
      return { left, right, comparison, equal: sameBytes(left, right), texts, whole, asBytes, hiddenBytes };
    }

    async function readResponse(call: Call): Promise<ComparedResponse> {
      if (call.response === null) return null;
      const bytes = await client.body(call.id);
      return { bytes, body: await reader.read(bytes) };
    }

    return {
      pair: null,
      origin: 'history',
      view: 'hash',
      calls: { state: 'loading' },
      responses: { state: 'loading' },
      showData: false,
      open(one, other, origin) {
        set({ origin, view: 'hash' });
        return load({ left: Math.min(one, other), right: Math.max(one, other) }, false);
      },
      async swap() {
        const { pair } = get();
        if (pair !== null) await load({ left: pair.right, right: pair.left }, true);
      },
      async retry() {
        const { pair } = get();
        if (pair !== null) await load(pair, get().calls.state === 'ready');
      },
      setView: (view) => set({ view }),
      async showResponses() {
        const { calls } = get();
        if (calls.state === 'ready') await readResponses(calls.left, calls.right);
      },
      showLongData: () => set({ showData: true }),
      close() {
        round += 1;
        // The fetched texts can be long.
        set({ pair: null, calls: { state: 'loading' }, responses: { state: 'loading' } });
      },
    };
  });
}

function sameBytes(left: ComparedResponse, right: ComparedResponse): boolean {
  if (left === null || right === null) return left === right;
  const [one, other] = [left.bytes, right.bytes];
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

function bytesText(response: ComparedResponse): string {
  return hexRows(response?.bytes ?? new Uint8Array(), 0, mostRows)
    .map((row) => `${row.offset.toString(16).padStart(8, '0')}  ${row.hex.padEnd(47)}  ${row.text}`)
    .join('\n');
}
