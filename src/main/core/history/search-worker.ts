/**
 * The thread that searches and keeps the index: a search that reads many calls, and the merging of the index, take tens of
 * milliseconds, which the thread that sends must not lose.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createCheck, DamageFound, type Check } from '../database/check.ts';
import { sqliteCode } from '../database/failures.ts';
import { recoverCalls } from '../database/recover.ts';
import { createSearchEngine } from './search-engine.ts';
import type { SearchReply, SearchRequest, SearchWorkerData } from './search-messages.ts';

const port = parentPort;
if (port === null) throw new Error('This program is a thread of the workbench.');
const { historyPath, indexPath } = workerData as SearchWorkerData;
const engine = createSearchEngine({ historyPath, indexPath, write: true });
const reply = (message: SearchReply) => port.postMessage(message);

/** What is done between the questions, a step at a time. */
const background = new Map<'index' | 'sweep' | 'check', () => boolean>();
let check: Check | null = null;
let scheduled = false;

function schedule(): void {
  if (scheduled || background.size === 0) return;
  scheduled = true;
  setImmediate(step);
}

function step(): void {
  scheduled = false;
  const [next] = background;
  if (next === undefined) return;
  const [name, work] = next;
  try {
    if (!work()) {
      background.delete(name);
      if (name === 'index') reply({ kind: 'indexed' });
    }
  } catch (error) {
    background.delete(name);
    if (name === 'check' && (error instanceof DamageFound || sqliteCode(error) === 11)) {
      reply({
        kind: 'damage',
        message:
          'it is damaged, as a check of the whole file found. Start the workbench again: the file is then put aside with what can be read of it',
      });
    } else {
      reply({ kind: 'fault', message: `The history's ${name} step failed: ${messageOf(error)}` });
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function answer(id: number, work: () => SearchReply): void {
  try {
    reply(work());
  } catch (error) {
    reply({ kind: 'failed', id, message: messageOf(error), damaged: sqliteCode(error) === 11 });
  }
}

port.on('message', (request: SearchRequest) => {
  switch (request.kind) {
    case 'search':
      answer(request.id, () => ({ kind: 'page', id: request.id, page: engine.search(request.query) }));
      break;
    case 'unindexed':
      answer(request.id, () => ({ kind: 'count', id: request.id, count: engine.unindexed() }));
      break;
    case 'index':
      background.set('index', () => engine.index());
      break;
    case 'sweep':
      background.set('sweep', () => engine.sweep());
      break;
    case 'check':
      background.set('check', () => checkStep(request.thorough));
      break;
    case 'recover':
      try {
        recoverCalls(request.path);
      } catch (error) {
        reply({ kind: 'fault', message: `${request.path} could not be read out: ${messageOf(error)}` });
      }
      reply({ kind: 'recovered' });
      break;
    case 'close':
      background.clear();
      check?.close();
      engine.close();
      port.close();
  }
  schedule();
});
