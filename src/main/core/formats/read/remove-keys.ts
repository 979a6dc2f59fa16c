import type { ImportPlan } from '#shared/ipc/index.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';

type HoldsKey = (text: string) => Promise<boolean>;

const mark = '[removed key]';
const why = 'It holds the private key of an environment, which never stands in a file. Calls are signed without it.';

/** Returns the plan without any text that holds a stored key; names what was removed. */
export async function removeKeys(plan: ImportPlan, holdsKey: HoldsKey): Promise<ImportPlan> {
  if (!(await holdsKey(JSON.stringify(plan)))) return plan;
  const notCarried = [...plan.notCarried];
  const lose = (where: string, what: string) => void notCarried.push({ where, what, why, at: [] });

  const requests: ImportPlan['requests'] = [];
  for (const { path, name, request, comment } of plan.requests) {
    const data = await withoutKeys(request.data, holdsKey);
    if (data !== request.data) lose(path, 'a text in its data');
    const clean = { ...request, data: data ?? '' };
    if (await holdsKey(request.notes)) {
      lose(path, 'its notes');
      clean.notes = '';
    }
    for (const example of request.examples) {
      if (!(await holdsKey(`${example.name}\n${example.body}`))) continue;
      lose(path, 'an example of its responses');
      clean.examples = clean.examples.filter((one) => one !== example);
    }
    if (data === null || (await holdsKey(JSON.stringify([path, clean]))))
      lose((await holdsKey(path)) ? 'a request' : path, 'the whole request');
    else {
      const holds = comment !== '' && (await holdsKey(comment));
      if (holds) lose(path, 'its comment');
      requests.push({ path, name, request: clean, comment: holds ? '' : comment });
    }
  }
  const folders: ImportPlan['folders'] = [];
  for (const folder of plan.folders) {
    const variables = await cleanVariables(folder.variables, folder.path, lose, holdsKey);
    const notes = (await holdsKey(folder.notes)) ? '' : folder.notes;
    if (notes !== folder.notes) lose(folder.path, 'its notes');
    if (await holdsKey(folder.path)) lose('a folder', 'the folder, and what lies in it');
    else folders.push({ path: folder.path, variables, notes });
  }
  const kept = requests.filter(
    ({ path }) => folders.some((folder) => path.startsWith(`${folder.path}/`)) || isBeside(path, plan),
  );
  const notes = (await holdsKey(plan.notes)) ? '' : plan.notes;
  if (notes !== plan.notes) lose('the collection', 'its notes');
  const variables = await cleanVariables(plan.variables, 'the variables', lose, holdsKey);
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

/** Returns whether the request lies in none of the folders that the plan creates. */
function isBeside(path: string, plan: ImportPlan): boolean {
  return !plan.folders.some((folder) => path.startsWith(`${folder.path}/`));
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

async function cleanVariables(
  variables: ImportPlan['variables'],
  where: string,
  lose: (where: string, what: string) => void,
  holdsKey: HoldsKey,
): Promise<ImportPlan['variables']> {
  const clean: ImportPlan['variables'] = {};
  for (const [name, value] of Object.entries(variables)) {
    if (await holdsKey(`${name}\n${value}`)) lose(where, `the variable ${name}`);
    else clean[name] = value;
  }
  return clean;
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
