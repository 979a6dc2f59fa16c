import { rm } from 'node:fs/promises';
import { folderOf, nameOf } from '#shared/collections/names.ts';
import type { ImportPlan, ParsedInput } from '#shared/ipc/index.ts';
import type { Collections } from '../collections/collections.ts';
import type { Directory } from '../collections/directory.ts';
import { textBytes } from '../collections/file-reader.ts';
import type { Reading } from '../reading/jobs.ts';
import type { SecretChoiceStore } from '../settings/secret-choices.ts';
import { madeIn, planImport, type PlanDeps } from './plan.ts';

export interface Imports {
  preview(input: ParsedInput<'collections.importPreview'>): Promise<ImportPlan>;
  /** Writes new files; all of them or, where one cannot be written, none. */
  write(input: ParsedInput<'collections.import'>): Promise<ImportPlan>;
}

/** Read in place. What a file of another tool costs is not said by its length alone. */
const quickBytes = 16_384;
const limits = { subject: 'The import', advice: 'Import a part of it.', timeMs: 30_000 } as const;

/** Requests of other tools, made into files of a collection. */
export function createImports(
  given: Omit<PlanDeps, 'planFiles' | 'readHash' | 'takeSecrets'> & {
    readonly collections: Collections;
    readonly reading: Pick<Reading, 'run'>;
    readonly secretChoices: SecretChoiceStore;
  },
): Imports {
  const { collections, reading, secretChoices } = given;
  const deps: PlanDeps = {
    ...given,
    planFiles(input) {
      const bytes = input.files.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
      return reading.run('imports.plan', input, { ...limits, bytes, inPlace: bytes <= quickBytes });
    },
    readHash: (body) => reading.run('imports.hash', body, { ...limits, bytes: body.rawBody.length }),
    takeSecrets(input) {
      const bytes = textBytes(input.plan);
      return reading.run('imports.secrets', input, { ...limits, bytes, inPlace: bytes <= quickBytes });
    },
  };
  return {
    async preview({ files, into, secrets }) {
      const choices = { ...secretChoices.read(), ...secrets };
      if (into === null) return planImport(files, { folder: '', names: [] }, choices, deps);
      const { id, folder } = into;
      const names = await collections.inTurn(id, (directory) => directory.names(folder));
      return planImport(files, { folder, names }, choices, deps);
    },
    async write({ files, id, folder, secrets }) {
      await secretChoices.add(secrets);
      const choices = { ...secretChoices.read(), ...secrets };
      const { nodes } = await collections.tree(id);
      const shown = nodes.filter((node) => folderOf(node.path) === folder).map((node) => nameOf(node.path));
      return collections.inTurn(id, async (directory) => {
        const plan = await planImport(files, { folder, names: await directory.names(folder) }, choices, deps);
        return writePlan(plan, folder, shown, directory);
      });
    },
  };
}

/** `shown` holds what lies in the target, in the order it is shown. */
async function writePlan(plan: ImportPlan, into: string, shown: readonly string[], directory: Directory): Promise<ImportPlan> {
  // Before anything is written: a file of settings that cannot be read stops all of it.
  const target = await directory.readSettings(into);
  const made: string[] = [];
  try {
    for (const { path } of plan.folders) {
      await directory.createFolder(folderOf(path), nameOf(path));
      if (folderOf(path) === into) made.push(path);
    }
    for (const { path, name, request } of plan.requests) {
      await directory.createRequest(folderOf(path), name, request);
      if (folderOf(path) === into) made.push(path);
    }
    for (const { path, variables, notes } of plan.folders) {
      const order = madeIn(plan, path);
      if (order.length < 2 && notes === '' && Object.keys(variables).length === 0) continue;
      await directory.saveSettings(path, { variables, order: order.length < 2 ? [] : order, notes }, null);
    }
    return await writeTarget(plan, into, shown, target, directory);
  } catch (error) {
    for (const path of made) await rm(await directory.find(path), { recursive: true, force: true });
    throw error;
  }
}

/** Adds to the settings of the target what they do not say yet. */
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
        why: 'There is one of this name with a value of its own.',
        at: [],
      });
  }
  const hasNotes = settings.notes !== '' && plan.notes !== '' && settings.notes !== plan.notes;
  if (hasNotes)
    notCarried.push({ where: place, what: 'the notes', why: 'There are notes already, which stay as they are.', at: [] });
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
