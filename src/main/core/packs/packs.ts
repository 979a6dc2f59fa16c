import { AppError } from '#shared/errors.ts';
import type { Call, CallPage, ReceivedPart } from '#shared/ipc/index.ts';
import { packEnvironment } from '#shared/model/pack-environment.ts';
import { createMemoryHistory, type ForeignCall, type SearchedBy } from '../history/memory-history.ts';
import type { WrittenBytes } from '../formats/write/recorded-call.ts';
import type { SearchQuery } from '../history/search-engine.ts';
import type { Pack, PackedCall } from './read-pack.ts';

/** Facts about a pack that was opened. */
interface PackFacts extends Omit<Pack, 'calls' | 'format' | 'version' | 'sha256'> {
  readonly calls: number;
  /** The page compared with the one that was written with it; `absent`: nobody gave one. */
  readonly page: 'same' | 'different' | 'absent';
}

/** A support pack, opened to read. It is in memory alone and can neither send nor write. */
export interface OpenPack {
  readonly facts: PackFacts;
  /** The numbers of its calls, ascending. */
  readonly numbers: readonly number[];
  /** Fails as a search of the history does. */
  list(query: SearchQuery): Promise<CallPage>;
  /** Fails with `not_found`. */
  get(id: number): Call;
  /** Fails with `not_found`. */
  body(id: number, part?: ReceivedPart): Uint8Array;
  close(): Promise<void>;
}

/** Opens a support pack; `page` is the SHA-256 of the page beside it. Other work goes on in between. */
export async function openPack(
  { calls, sha256, ...facts }: Pack,
  page: string | null,
  searchedBy: SearchedBy,
): Promise<OpenPack> {
  const masked = new Map<number, readonly string[]>();
  function* read() {
    for (const text of calls) {
      const call = JSON.parse(text) as PackedCall;
      masked.set(call.id, call.masked);
      yield foreign(call);
    }
  }
  const history = await createMemoryHistory(read(), searchedBy);

  /** Returns the masked parts of a call. Fails with `not_found`. */
  function partsOf(id: number): readonly string[] {
    const parts = masked.get(id);
    if (parts === undefined) throw new AppError('not_found', `There is no call ${id} in the support pack.`);
    return parts;
  }

  return {
    facts: {
      ...facts,
      calls: calls.length,
      page: page === null ? 'absent' : page === sha256.page ? 'same' : 'different',
    },
    numbers: [...masked.keys()],
    list: history.list,
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

function foreign(call: PackedCall): ForeignCall {
  const { id, operation, environment, outcome, response, raw, hashInput, request, overrides, timings, clockOffsetMs, findings } =
    call;
  const body = Buffer.from(request.body, 'utf8');
  const environmentId = packEnvironment(environment);
  const data = hashInput?.data ?? null;
  const text = data === null ? '' : body.toString('utf8', data.offset, data.offset + data.length);
  return {
    id,
    environment: { id: environmentId, name: environment },
    draft: { environmentId, operation, form: '', text, overrides },
    url: request.url,
    sentAt: Date.parse(call.sentAt),
    headers: request.headers,
    body,
    hashInput:
      hashInput === null
        ? null
        : { time: hashInput.time, hasData: data !== null, dataOffset: data?.offset ?? 0, dataLength: data?.length ?? 0 },
    hash: hashInput?.hash ?? null,
    keyFingerprint: null,
    repeats: call.repeats,
    ...(call.instead === undefined ? {} : { instead: call.instead }),
    requestBytes: request.bytes,
    responseBytes: response?.bytes ?? null,
    rawBytes: raw?.bytes ?? null,
    outcome:
      outcome.state === 'pending'
        ? null
        : {
            state: outcome.state,
            response:
              response === null
                ? null
                : {
                    status: outcome.status ?? 0,
                    headers: response.headers,
                    body: bytesOf(response),
                    truncated: response.truncated,
                  },
            raw: raw === undefined ? null : bytesOf(raw),
            failure: outcome.failure,
            timings,
            clockOffsetMs,
            code: outcome.code,
            message: outcome.message,
            findings,
          },
  };
}

function bytesOf(written: WrittenBytes): Buffer {
  return 'text' in written ? Buffer.from(written.text, 'utf8') : Buffer.from(written.base64, 'base64');
}
