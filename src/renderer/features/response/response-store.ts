import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, KeptPart } from '#shared/ipc/index.ts';
import { asAppError, reportIfFault } from '#renderer/faults/faults.ts';
import type { BodyReader } from '#renderer/calls/body-reader.ts';
import type { BodyTable } from '#renderer/calls/body-table.ts';
import type { LaidOut } from '#shared/json/format.ts';
import type { BodyText } from '#renderer/calls/body-view.ts';

export type ResponseView = 'body' | 'sent' | 'table' | 'raw' | 'headers' | 'timings' | 'findings' | 'checks';

/** Number of bytes above which a response is laid out only on request. */
export const GATE_BYTES = 2_097_152;

/** A response's body as far as it was read. `bytes` are exactly what was received. */
export type ResponseBody =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly bytes: Uint8Array;
      readonly body: BodyText;
      /** The text laid out, or its beginning; null until then, with `gated` if that waits for the user. */
      readonly pretty: LaidOut | null;
      readonly gated: boolean;
      /** `unread`: a long response whose table nobody asked for yet. */
      readonly table: BodyTable | null | 'unread' | 'reading';
    };

interface ResponseState {
  /** The chosen view, the same for all tabs. */
  readonly view: ResponseView;
  readonly bodies: ReadonlyMap<number, ResponseBody>;
  /** The bytes of responses and of requests as they came, read and not laid out. */
  readonly raws: ReadonlyMap<number, ResponseBody>;
  readonly sentRaws: ReadonlyMap<number, ResponseBody>;

  /** The last position of the cursor in the body of a call as it is laid out, in UTF-16 units; null before there is one. */
  readonly cursor: { readonly callId: number; readonly offset: number } | null;

  readonly setView: (view: ResponseView) => void;
  readonly pointAt: (callId: number, offset: number) => void;
  /** Fetches and reads the body of a call, or the bytes as they came, once. */
  readonly open: (callId: number, part?: KeptPart) => Promise<void>;
  /** Lays out a body over the gate. */
  readonly layOut: (callId: number) => Promise<void>;
  /** Makes the table of a long response. */
  readonly readTable: (callId: number) => Promise<void>;
}

/** The member of the store for each part of a call. */
export const keptAs = { body: 'bodies', raw: 'raws', sentRaw: 'sentRaws' } as const satisfies Readonly<Record<KeptPart, string>>;

export type ResponseStore = StoreApi<ResponseState>;

/** Number of bodies in memory; those unseen for longest go first. */
const KEPT = 8;

/** Creates the store of response bodies: fetched by the call's ID, read by `reader`, kept while they are near. */
export function createResponseStore(
  client: Client,
  deps: { readonly reader: BodyReader; readonly view?: ResponseView },
): ResponseStore {
  const { reader } = deps;
  return createStore<ResponseState>()((set, get) => {
    /** The long body behind the gate, laid out before the gate is shown, so that opening the gate does not wait. */
    let laidOut: { callId: number; pretty: LaidOut } | null = null;

    function put(callId: number, body: ResponseBody, kept: (typeof keptAs)[KeptPart] = 'bodies'): void {
      set((state) => {
        const bodies = new Map(state[kept]);
        bodies.delete(callId);
        bodies.set(callId, body);
        for (const old of bodies.keys()) {
          if (bodies.size <= KEPT) break;
          bodies.delete(old);
        }
        return { [kept]: bodies };
      });
    }

    function change(callId: number, members: Partial<Extract<ResponseBody, { state: 'ready' }>>): void {
      const now = get().bodies.get(callId);
      if (now?.state === 'ready') put(callId, { ...now, ...members });
    }

    return {
      view: deps.view ?? 'body',
      bodies: new Map(),
      raws: new Map(),
      sentRaws: new Map(),
      cursor: null,
      setView: (view) => set({ view }),
      pointAt: (callId, offset) => set({ cursor: { callId, offset } }),
      async open(callId, part = 'body') {
        const kept = keptAs[part];
        const known = get()[kept].get(callId);
        if (known !== undefined && known.state !== 'failed') return;
        put(callId, { state: 'loading' }, kept);
        try {
          const bytes = await client.body(callId, part);
          const body = await reader.read(bytes);
          if (part !== 'body') return put(callId, { state: 'ready', bytes, body, pretty: null, gated: false, table: null }, kept);
          const gated = bytes.length > GATE_BYTES;
          const laid = await reader.layOut(body);
          if (gated) laidOut = { callId, pretty: laid };
          const pretty = gated ? null : laid;
          const table = gated ? 'unread' : body.isJson ? await reader.table(body.text) : null;
          put(callId, { state: 'ready', bytes, body, pretty, gated, table: gated && !body.isJson ? null : table });
        } catch (error) {
          put(callId, { state: 'failed', message: asAppError(error).message }, kept);
        }
      },
      async layOut(callId) {
        const now = get().bodies.get(callId);
        if (now?.state !== 'ready' || now.pretty !== null) return;
        change(callId, { gated: false });
        try {
          const pretty = laidOut?.callId === callId ? laidOut.pretty : await reader.layOut(now.body);
          if (laidOut?.callId === callId) laidOut = null;
          change(callId, { pretty });
        } catch (error) {
          put(callId, { state: 'failed', message: asAppError(error).message });
        }
      },
      async readTable(callId) {
        const now = get().bodies.get(callId);
        if (now?.state !== 'ready' || now.table !== 'unread') return;
        change(callId, { table: 'reading' });
        try {
          const table = await reader.table(now.body.text);
          change(callId, { table });
        } catch (error) {
          reportIfFault(error);
          // Asked again at the next look at the table.
          change(callId, { table: 'unread' });
        }
      },
    };
  });
}
