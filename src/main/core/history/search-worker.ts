/**
 * The thread that searches and keeps the index: a search that reads many calls, and the merging of the index, take tens of
 * milliseconds, which the thread that sends must not lose.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { createCheck, DamageFound, type Check } from '../database/damage-check.ts';
import { reasonOf, sqliteCode } from '../files/disk-failures.ts';
import { recoverCalls } from '../database/recover.ts';
import { createPlayerSearch, type FoundCalls } from './find-calls.ts';
import { eraseLogs, eraseSteps, stoppedErasure } from './erase.ts';
import { createSearchEngine } from './search-engine.ts';
import type { SearchReply, SearchRequest, SearchWorkerData } from './search-messages.ts';

const port = parentPort;
if (port === null) throw new Error('This file runs as a thread of Croupier.');
const { historyPath, indexPath } = workerData as SearchWorkerData;
const engine = createSearchEngine({ historyPath, indexPath, write: true });
const reply = (message: SearchReply) => port.postMessage(message);

/** Background work between requests, a step at a time. */
const background = new Map<'erase' | 'index' | 'check' | `find ${number}`, () => boolean>();
let check: Check | null = null;
let scheduled = false;
/** A search goes on in a moment: indexing, which takes as long as a look, waits for it. */
let searching: NodeJS.Timeout | null = null;
const nextLookMs = 150;

function schedule(): void {
  if (scheduled || nextStep() === undefined) return;
  scheduled = true;
  setImmediate(step);
}

function nextStep() {
  // New calls wait: each would leave a piece more to be merged.
  const erasing = background.get('erase');
  if (erasing !== undefined) return ['erase', erasing] as const;
  return [...background].find(([name]) => name !== 'index' || searching === null);
}

/** Takes one look of a search; if it is not at its end, the next question mostly asks for the next look. */
function look({ id, query }: Extract<SearchRequest, { kind: 'search' }>): SearchReply {
  const page = engine.search(query);
  if (searching !== null) clearTimeout(searching);
  searching = null;
  if (page.rest !== null) {
    searching = setTimeout(() => {
      searching = null;
      schedule();
    }, nextLookMs);
  }
  return { kind: 'page', id, page };
}

function step(): void {
  scheduled = false;
  const next = nextStep();
  if (next === undefined) return;
  const [name, work] = next;
  try {
    if (!work()) {
      background.delete(name);
      if (name === 'index') reply({ kind: 'indexed' });
    }
  } catch (error) {
    background.delete(name);
    for (const { id } of name === 'erase' ? erasures.splice(0) : []) failed(id, error);
    if (name === 'check' && (error instanceof DamageFound || sqliteCode(error) === 11)) {
      reply({
        kind: 'damage',
        message:
          'it is damaged, as a check of the whole file found. Start the workbench again: the file is then set aside with what can be read of it',
      });
    } else {
      reply({ kind: 'fault', message: name === 'index' ? unindexed(error) : unusable(error) });
    }
  }
  schedule();
}

function checkStep(thorough: boolean): boolean {
  check ??= createCheck(historyPath, thorough);
  try {
    const more = check.step();
    if (more) return true;
    check.close();
    check = null;
    return false;
  } catch (error) {
    check?.close();
    check = null;
    throw error;
  }
}

/** Pending requests to erase removed calls, in order. */
const erasures: Extract<SearchRequest, { kind: 'erase' }>[] = [];

function eraseNext(): void {
  const [next] = erasures;
  if (next === undefined) return;
  const more = eraseSteps(engine, next.extent);
  background.set('erase', () => {
    if (more()) return true;
    erasures.shift();
    background.delete('erase');
    void eraseLogs({ historyPath, indexPath }, next.extent).then(
      (erased) => reply({ kind: 'erased', id: next.id, erased }),
      (error: unknown) => failed(next.id, error),
    );
    eraseNext();
    return background.has('erase');
  });
}

/** Stops an erasure; the next start does what is left. One that is at the logs already is nearly done, and goes on. */
function stopErasure(id: number): void {
  const at = erasures.findIndex((one) => one.id === id);
  if (at === -1) return;
  erasures.splice(at, 1);
  reply({ kind: 'erased', id, erased: stoppedErasure });
  if (at > 0) return;
  background.delete('erase');
  eraseNext();
}

const ends = new Map<number, (found: FoundCalls | null) => void>();

/** Begins to look for a player's calls. */
function find({ id, question }: Extract<SearchRequest, { kind: 'find' }>): SearchReply {
  const search = createPlayerSearch(historyPath, question);
  const end = (found: FoundCalls | null) => {
    ends.delete(id);
    search.close();
    reply({ kind: 'found', id, found });
  };
  ends.set(id, end);
  background.set(`find ${id}`, () => {
    try {
      const more = search.step();
      reply({ kind: 'finding', id, ...search.progress() });
      if (!more) end(search.found());
      return more;
    } catch (error) {
      ends.delete(id);
      search.close();
      failed(id, error);
      return false;
    }
  });
  return { kind: 'finding', id, ...search.progress() };
}

function failed(id: number, error: unknown): void {
  reply({ kind: 'failed', id, message: unusable(error), damaged: sqliteCode(error) === 11 });
}

function unusable(error: unknown): string {
  return error instanceof AppError ? error.message : `The history ${historyPath} cannot be used: ${reasonOf(error)}.`;
}

function unindexed(error: unknown): string {
  // A damaged index was begun again: it is the history then.
  if (error instanceof AppError || sqliteCode(error) === 11) return unusable(error);
  return `The search index ${indexPath} was not brought up to date: ${reasonOf(error)}.`;
}

function answer(id: number, work: () => SearchReply): void {
  try {
    reply(work());
  } catch (error) {
    failed(id, error);
  }
}

port.on('message', (request: SearchRequest) => {
  switch (request.kind) {
    case 'search':
      answer(request.id, () => look(request));
      break;
    case 'unindexed':
      answer(request.id, () => ({ kind: 'count', id: request.id, count: engine.unindexed() }));
      break;
    case 'held':
      answer(request.id, () => ({ kind: 'held', id: request.id, held: engine.holds() }));
      break;
    case 'index':
      background.set('index', () => engine.index());
      break;
    case 'find':
      answer(request.id, () => find(request));
      break;
    case 'stop':
      background.delete(`find ${request.id}`);
      ends.get(request.id)?.(null);
      stopErasure(request.id);
      break;
    case 'erase':
      erasures.push(request);
      if (erasures.length === 1) eraseNext();
      break;
    case 'check':
      background.set('check', () => checkStep(request.thorough));
      break;
    case 'recover':
      try {
        recoverCalls(request.path);
      } catch (error) {
        reply({ kind: 'fault', message: `${request.path} could not be read out: ${reasonAndAdvice(error)}` });
      }
      reply({ kind: 'recovered' });
      break;
    case 'close':
      background.clear();
      if (searching !== null) clearTimeout(searching);
      check?.close();
      engine.close();
      port.close();
  }
  schedule();
});
