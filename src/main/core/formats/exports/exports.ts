import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { ExportPart, Output, ParsedInput } from '#shared/ipc/index.ts';
import type { Pass, Passed, Passing } from '../../files/passed.ts';
import type { ExportJob, ExportSlice } from './export-job.ts';
import { markFor, tokenMark } from '#shared/provider/tokens.ts';
import { createTokenLearner, type TokenMask } from '../../masking/token-mask.ts';
import { tokenNamesOf } from '../write/write-export.ts';
import { createExportJobs, type ExportJobsDeps } from './export-jobs.ts';

export interface ExportsDeps extends ExportJobsDeps {
  readonly pass: Pass;
  readonly later: (work: () => void, milliseconds: number) => () => void;
}

type PassedPart = ExportPart & { readonly text: Passed<'export', string> };
/** Parts of a slice. */
type Parts = readonly [PassedPart, ...PassedPart[]];
type Request = ParsedInput<'exports.create'>;

/** An export under way. */
interface Going {
  readonly job: ExportJob;
  readonly total: number;
  readonly environmentIds: readonly string[];
  /** Written parts that were not read yet; null without one. */
  parts: Parts | null;
  stopTimer: () => void;
  busy: boolean;
}

/**
 * Milliseconds after which an export ends if its page went away silently: a thread keeps its view of the history, and with it the
 * logs of what is removed meanwhile.
 */
const idleMs = 60_000;
/** Number of UTF-16 units of one part for the page. */
const partUnits = 524_288;

/** Writes recorded calls as other programs read them. Its members are those of the inside contract. */
export function createExports(deps: ExportsDeps) {
  const going = new Map<string, Going>();
  const makeJob = createExportJobs(deps);

  /** Fails with `not_found`, `refused`, `invalid_input` and `conflict`. */
  async function create(request: Request): Promise<Output<'exports.create'>> {
    const { job, calls } = makeJob(request);
    const start = await begun(job);
    const id = randomUUID();
    const one: Going = {
      job,
      total: calls,
      environmentIds: start.environmentIds,
      parts: null,
      stopTimer: () => undefined,
      busy: false,
    };
    going.set(id, one);
    endWhenIdle(id, one);
    return { id, files: [...start.files], calls: one.total };
  }

  async function begun(job: ExportJob) {
    try {
      return await job.begin();
    } catch (error) {
      await job.end();
      throw error;
    }
  }

  function endWhenIdle(id: string, one: Going): void {
    one.stopTimer();
    one.stopTimer = deps.later(() => void end(id), idleMs);
  }

  async function end(id: string): Promise<boolean> {
    const one = going.get(id);
    going.delete(id);
    one?.stopTimer();
    await one?.job.end();
    return one !== undefined;
  }

  /**
   * Reads the next part. No part is handed out before it was searched for the key of every environment and of those that the calls
   * were sent to. Fails with `refused`, `key_missing` and `key_unavailable`, and with `not_found` if there is no such export any
   * more.
   */
  async function read(id: string): Promise<PassedPart> {
    const one = going.get(id);
    if (one === undefined)
      throw new AppError('not_found', 'This export has expired: it was cancelled, or nobody read it for a minute. Export again.');
    if (one.busy) throw new AppError('conflict', 'This export is already being read.');
    one.busy = true;
    one.stopTimer();
    try {
      const [part, next, ...rest] = one.parts ?? (await nextParts(one));
      one.parts = next === undefined ? null : [next, ...rest];
      if (part.ended) await end(id);
      else endWhenIdle(id, one);
      return part;
    } catch (error) {
      await end(id);
      throw error;
    } finally {
      one.busy = false;
    }
  }

  /**
   * Returns texts, and documents of plain JSON as JSON, as one export of them would be: tokens masked wherever they repeat one, also those that are
   * named only in one of the texts `beside` them, and searched for every key. Fails as `read` does.
   */
  async function documents(values: readonly unknown[], beside: readonly string[]): Promise<Passed<'export', string>[]> {
    const isToken = tokenNamesOf(deps.environments());
    const learner = createTokenLearner(isToken);
    for (const text of [...beside, ...textsIn(values), ...values.map((value) => JSON.stringify(value))]) learner.learn(text);
    const mask = learner.mask();
    const texts = values.map((value) =>
      typeof value === 'string' ? mask.text(value) : JSON.stringify(maskedIn(value, mask, isToken, null)),
    );
    const passed = await deps.pass('export', texts, {});
    return texts.map((text) => passed(text));
  }

  async function nextParts({ job, total, environmentIds: of }: Going): Promise<Parts> {
    const slice = await job.next();
    return partsOf(slice, total, await deps.pass('export', [...slice.texts, ...slice.hidden], { of }));
  }

  return {
    create,
    read,
    cancel: end,
    documents,
    async close(): Promise<void> {
      await Promise.all([...going.keys()].map(end));
    },
  };
}

/** Divides a slice for the page: at least one part, and no character is torn. */
function partsOf({ step, done, texts, masked, ended }: ExportSlice, total: number, passed: Passing<'export'>): Parts {
  const parts: PassedPart[] = [];
  for (const [file, text] of texts.entries()) {
    for (let at = 0; at < text.length;) {
      let to = Math.min(at + partUnits, text.length);
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
      parts.push({ step, done, total, file, text: passed(text.slice(at, to)), masked, ended: false });
      at = to;
    }
  }
  const last = { ...(parts.pop() ?? { step, done, total, file: 0, text: passed(''), masked }), ended };
  const [first, ...others] = parts;
  return first === undefined ? [last] : [first, ...others, last];
}

/** Yields every text of a plain value, without the names of fields. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** Returns a plain value with its tokens masked; `mark` stands for what is under the name of one. */
function maskedIn(value: unknown, mask: TokenMask, isToken: (name: string) => boolean, mark: string | null): unknown {
  if (typeof value === 'string') return mark !== null && value !== '' ? mark : mask.text(value);
  if (typeof value === 'number') return mark ?? (mask.text(String(value)) === String(value) ? value : tokenMark);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskedIn(item, mask, isToken, mark));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      maskedIn(inner, mask, isToken, mark ?? (isToken(name) ? markFor(name) : null)),
    ]),
  );
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
