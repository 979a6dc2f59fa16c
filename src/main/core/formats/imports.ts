import { folderOf, nameOf } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { ImportPlan, ImportStep, ParsedInput, Payload } from '#shared/ipc/index.ts';
import type { Collections } from '../collections/collections.ts';
import type { Directory } from '../collections/directory.ts';
import { textBytes } from '../collections/file-reader.ts';
import type { Reading } from '../untrusted/jobs.ts';
import type { SecretChoiceStore } from '../settings/secret-choices.ts';
import { madeIn, planImport, type PlanDeps } from './read/plan-import.ts';
import { rm } from '../files/moves.ts';

/** Number of bytes that are read in place. The length alone does not bound the cost of another tool's file. */
const quickBytes = 16_384;
const progressMs = 100;

/** Gets the progress of an import, and fails with `cancelled` if it was stopped. */
type At = PlanDeps['at'];

/** Requests of other tools, made into files of a collection. */
export function createImports(
  given: Pick<PlanDeps, 'holdsKey' | 'environments' | 'digest'> & {
    readonly collections: Collections;
    readonly reading: Pick<Reading, 'run'>;
    readonly secretChoices: SecretChoiceStore;
    readonly emit: (progress: Payload<'collections.importing'>) => void;
    /** Milliseconds of a clock that never goes back. */
    readonly monotonic: () => number;
  },
) {
  const { collections, reading, secretChoices, environments } = given;
  const underWay = new Set<{ readonly ticket: string | undefined; readonly stop: AbortController }>();

  function teller(ticket: string | undefined, signal: AbortSignal): At {
    let told = Number.NEGATIVE_INFINITY;
    let last: ImportStep | null = null;
    return (step, done = 0, total = 0) => {
      signal.throwIfAborted();
      const now = given.monotonic();
      if (ticket === undefined || (step === last && now - told < progressMs)) return;
      [told, last] = [now, step];
      given.emit({ ticket, step, done, total });
    };
  }

  /** Runs work that ends if its ticket is cancelled, whatever it waits for. */
  async function underTicket<T>(ticket: string | undefined, work: (deps: PlanDeps) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const { signal } = stop;
    const one = { ticket, stop };
    const read = { subject: 'The import', signal };
    underWay.add(one);
    try {
      return await work({
        environments,
        at: teller(ticket, signal),
        digest: (environmentId, parts) => unlessStopped(given.digest(environmentId, parts), signal),
        holdsKey: (text) => unlessStopped(given.holdsKey(text), signal),
        planFiles(input) {
          const bytes = input.files.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
          return reading.run('imports.plan', input, { ...read, bytes, inPlace: bytes <= quickBytes });
        },
        readHash: (body) => reading.run('imports.hash', body, { ...read, bytes: body.rawBody.length }),
        takeSecrets(input) {
          const bytes = textBytes(input.plan);
          return reading.run('imports.secrets', input, { ...read, bytes, inPlace: bytes <= quickBytes });
        },
      });
    } catch (error) {
      throw signal.aborted && error instanceof AppError && error.code === 'cancelled' ? signal.reason : error;
    } finally {
      underWay.delete(one);
    }
  }

  return {
    preview: ({ files, into, secrets, ticket }: ParsedInput<'collections.importPreview'>): Promise<ImportPlan> =>
      underTicket(ticket, async (deps) => {
        const choices = { choices: secrets, remembered: secretChoices.read() };
        const { folder } = into ?? { folder: '' };
        const names = into === null ? [] : await collections.inTurn(into.id, (directory) => directory.names(folder));
        return (await planImport(files, { folder, names }, choices, deps)).plan;
      }),
    /** Writes new files; all of them or, if one cannot be written or it is cancelled, none. */
    write: ({ files, id, folder, secrets, ticket }: ParsedInput<'collections.import'>): Promise<ImportPlan> =>
      underTicket(ticket, async (deps) => {
        const choices = { choices: secrets, remembered: secretChoices.read() };
        const { nodes } = await collections.tree(id);
        const shown = nodes.filter((node) => folderOf(node.path) === folder).map((node) => nameOf(node.path));
        return collections.inTurn(id, async (directory) => {
          const { plan, chosen } = await planImport(files, { folder, names: await directory.names(folder) }, choices, deps);
          await secretChoices.add(chosen);
          return writePlan(plan, { folder, shown }, directory, deps.at);
        });
      }),
    /** Stops what goes on under this ticket. Whether something did. */
    cancel(ticket: string): boolean {
      const found = [...underWay].filter((one) => one.ticket === ticket);
      for (const { stop } of found) stop.abort(new AppError('cancelled', 'The import was cancelled. Nothing was imported.'));
      return found.length > 0;
    },
  };
}

/** Waits for the work unless it is stopped first; then the work goes on without the caller. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as AppError);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

interface WriteTarget {
  readonly folder: string;
  /** Names of its contents, in the order shown. */
  readonly shown: readonly string[];
}

async function writePlan(
  plan: ImportPlan,
  { folder: into, shown }: WriteTarget,
  directory: Directory,
  at: At,
): Promise<ImportPlan> {
  // Before anything is written: a file of settings that cannot be read stops all of it.
  const target = await directory.readSettings(into);
  const made: string[] = [];
  const total = plan.folders.length + plan.requests.length;
  let done = 0;
  try {
    for (const { path } of plan.folders) {
      at('write', done++, total);
      await directory.createFolder(folderOf(path), nameOf(path));
      if (folderOf(path) === into) made.push(path);
    }
    const requests = plan.requests.map(({ path, name, request, comment }) => ({
      folder: folderOf(path),
      name,
      request,
      comment,
    }));
    await directory.createRequests(
      requests,
      (index) => at('write', done + index, total),
      (path) => {
        if (folderOf(path) === into) made.push(path);
      },
    );
    for (const { path, variables, notes } of plan.folders) {
      at('write', total, total);
      const order = madeIn(plan, path);
      if (order.length < 2 && notes === '' && Object.keys(variables).length === 0) continue;
      await directory.saveSettings(path, { variables, order: order.length < 2 ? [] : order, notes }, null);
    }
    at('write', total, total);
    return await writeTarget(plan, into, shown, target, directory);
  } catch (error) {
    // Who cancels waits for this: nothing of it stays.
    for (const path of made) await rm(await directory.find(path), { recursive: true, force: true });
    throw error;
  }
}

/** Adds to the settings of the target what they do not have yet. */
async function writeTarget(
  plan: ImportPlan,
  into: string,
  shown: readonly string[],
  { settings, revision }: Awaited<ReturnType<Directory['readSettings']>>,
  directory: Directory,
): Promise<ImportPlan> {
  const notCarried = [...plan.notCarried];
  const variables = { ...settings.variables };
  const place = into === '' ? 'the collection' : into;
  for (const [name, value] of Object.entries(plan.variables)) {
    if (!Object.hasOwn(variables, name)) variables[name] = value;
    else if (variables[name] !== value)
      notCarried.push({
        where: place,
        what: `the variable ${name}`,
        why: 'It already exists with another value.',
        at: [],
      });
  }
  const hasNotes = settings.notes !== '' && plan.notes !== '' && settings.notes !== plan.notes;
  if (hasNotes) notCarried.push({ where: place, what: 'the notes', why: 'The existing notes stay.', at: [] });
  const names = madeIn(plan, into);
  const order =
    names.length + shown.length < 2 || (names.length === 1 && settings.order.length === 0)
      ? settings.order
      : [...shown, ...names];
  const next = { variables, order: [...order], notes: settings.notes === '' ? plan.notes : settings.notes };
  if (JSON.stringify(next) !== JSON.stringify({ variables: settings.variables, order: settings.order, notes: settings.notes })) {
    await directory.saveSettings(into, next, revision);
  }
  return { ...plan, notCarried };
}
