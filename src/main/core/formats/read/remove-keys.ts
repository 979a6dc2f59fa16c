import type { ImportPlan } from '#shared/ipc/index.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';

type HoldsKey = (text: string) => Promise<boolean>;

const mark = '[removed key]';
const why = "It contains an environment's private key, which never goes into a file. Croupier signs without it.";

/** Returns the plan without any text that holds a stored key; names what was removed. */
export async function removeKeys(plan: ImportPlan, holdsKey: HoldsKey): Promise<ImportPlan> {
  if (!(await holdsKey(JSON.stringify(plan)))) return plan;
  const notCarried = [...plan.notCarried];
  const lose = (where: string, what: string) => void notCarried.push({ where, what, why, at: [] });

  /** Returns the text, or an empty one if it holds a key. */
  async function clean(text: string, where: string, what: string): Promise<string> {
    if (!(await holdsKey(text))) return text;
    lose(where, what);
    return '';
  }
  async function cleanVariables(variables: ImportPlan['variables'], where: string): Promise<ImportPlan['variables']> {
    const kept: [string, string][] = [];
    for (const [name, value] of Object.entries(variables)) {
      if (await holdsKey(`${name}\n${value}`)) lose(where, `the variable ${name}`);
      else kept.push([name, value]);
    }
    return Object.fromEntries(kept);
  }

  const requests: ImportPlan['requests'] = [];
  for (const one of plan.requests) {
    const { path } = one;
    const data = await withoutKeys(one.request.data, holdsKey);
    if (data !== one.request.data) lose(path, 'a text in its data');
    const request = { ...one.request, data: data ?? '', notes: await clean(one.request.notes, path, 'its notes') };
    for (const example of request.examples) {
      if (!(await holdsKey(`${example.name}\n${example.body}`))) continue;
      lose(path, 'an example of its responses');
      request.examples = request.examples.filter((other) => other !== example);
    }
    if (data === null || (await holdsKey(JSON.stringify([path, request]))))
      lose((await holdsKey(path)) ? 'a request' : path, 'the whole request');
    else requests.push({ ...one, request, comment: await clean(one.comment, path, 'its comment') });
  }
  const folders: ImportPlan['folders'] = [];
  for (const { path, ...folder } of plan.folders) {
    const variables = await cleanVariables(folder.variables, path);
    const notes = await clean(folder.notes, path, 'its notes');
    if (await holdsKey(path)) lose('a folder', 'the folder and its contents');
    else folders.push({ path, variables, notes });
  }
  const isIn = (path: string, some: ImportPlan['folders']) => some.some((folder) => path.startsWith(`${folder.path}/`));
  const kept = requests.filter(({ path }) => isIn(path, folders) || !isIn(path, plan.folders));
  const notes = await clean(plan.notes, 'the collection', 'its notes');
  const variables = await cleanVariables(plan.variables, 'the variables');
  return {
    ...plan,
    requests: kept,
    folders,
    notes,
    variables,
    signing: plan.signing.filter(({ path }) => kept.some((request) => request.path === path)),
    notCarried: await Promise.all(notCarried.map((one) => cleanTexts(one, holdsKey))),
  };
}

/** Returns JSON text with each string that holds a key replaced; null if it still holds one. */
async function withoutKeys(text: string, holdsKey: HoldsKey): Promise<string | null> {
  if (!(await holdsKey(text))) return text;
  const parsed = parseJson(withStandIns(text));
  if (!parsed.ok) return null;
  let result = text;
  // From the end, so that the positions of the others stay.
  for (const { start, end } of stringsOf(parsed.root).reverse()) {
    if (await holdsKey(text.slice(start, end))) result = `${result.slice(0, start)}${JSON.stringify(mark)}${result.slice(end)}`;
  }
  return (await holdsKey(result)) ? null : result;
}

function stringsOf(root: JsonNode): JsonNode[] {
  const found: JsonNode[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'string') found.push(node);
    // One by one: a long list has more than one call takes.
    else if (node.kind === 'array') for (const item of node.items) pending.push(item);
    else if (node.kind === 'object') for (const { value } of node.members) pending.push(value);
  }
  return found.sort((one, other) => one.start - other.start);
}

async function cleanTexts(one: ImportPlan['notCarried'][number], holdsKey: HoldsKey): Promise<ImportPlan['notCarried'][number]> {
  const clean = async (text: string) => ((await holdsKey(text)) ? mark : text);
  return {
    where: await clean(one.where),
    what: await clean(one.what),
    why: await clean(one.why),
    at: await Promise.all(one.at.map(clean)),
  };
}
