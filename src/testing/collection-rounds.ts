/** Exports random collections to other tools and imports them again: what comes back is what went out, or what did not is named. */
import { isDeepStrictEqual } from 'node:util';
import { foldersOf, requestsOf, type CollectionPart, type PartItem } from '#core/formats/write/collection-part.ts';
import { brunoFiles } from '#core/formats/write/bruno.ts';
import { postmanDocument } from '#core/formats/write/postman.ts';
import { madeIn, planFiles } from '#core/formats/read/plan-import.ts';
import { collectionHar, preparePart } from '#core/formats/write/collection-har.ts';
import { literal } from '#core/formats/read/variable-names.ts';
import { nameOf } from '#shared/collections/file-names.ts';
import { Environment, type ImportPlan } from '#shared/ipc/index.ts';
import { assembleBody } from '#shared/request/envelope.ts';
import { createCollections } from './random-collections.ts';
import { seededRandom } from './seeded-random.ts';

export interface CollectionReport {
  requests: number;
  readonly problems: string[];
}

const writer = 'Croupier 1';
const target = { folder: '', names: [] };
const environment = Environment.parse({
  id: 'e',
  name: 'Staging',
  baseUrl: 'https://api.example.com',
  platform: 7,
  partnerId: 31,
  serialization: 'php-unicode',
});

/** Exports and imports so many random collections, each in every format. */
export async function collectionRounds(rounds: number, seed: number): Promise<CollectionReport> {
  const report: CollectionReport = { requests: 0, problems: [] };
  const create = createCollections(seededRandom(seed));
  for (let round = 0; round < rounds; round += 1) {
    const part = create();
    report.requests += requestsOf(part.items).length;
    const own = round % 2 === 0 ? null : environment;
    const found = [
      ...throughPostman(part, own),
      ...throughBruno(part, own, 'bruno'),
      ...throughBruno(part, own, 'opencollection'),
      ...(await throughHar(part)),
    ];
    for (const difference of found) report.problems.push(`seed ${seed}, round ${round}: ${difference}`);
  }
  return report;
}

function throughPostman(part: CollectionPart, own: Environment | null): string[] {
  const { text } = postmanDocument(part, { environment: own, writer });
  return whole(part, 'Postman', [{ name: 'x.json', text }]);
}

function throughBruno(part: CollectionPart, own: Environment | null, form: 'bruno' | 'opencollection'): string[] {
  const { files } = brunoFiles(part, { form, environment: own, environmentName: 'Staging', writer });
  return whole(part, form, files);
}

/** Everything comes back, and nothing is named. */
function whole(part: CollectionPart, tool: string, files: readonly { name: string; text: string }[]): string[] {
  const { plan } = planFiles({ files, target, environments: [] });
  const named = plan.notCarried.filter(({ why }) => why !== 'They come from the selected environment.');
  const found = [...differences(part, plan), ...named.map((one) => `${JSON.stringify(one)} is named`)];
  return found.map((difference) => `${tool}: ${difference}`);
}

function differences(part: CollectionPart, plan: ImportPlan): string[] {
  const found: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    if (!isDeepStrictEqual(one, other)) found.push(`${what}: ${JSON.stringify(one)} became ${JSON.stringify(other)}`);
  };
  compare('notes', part.notes, plan.notes);
  compare('variables', part.variables, plan.variables);
  const requests = requestsOf(part.items);
  compare('paths', requests.map(({ path }) => path).sort(), plan.requests.map(({ path }) => path).sort());
  const made = new Map(plan.requests.map(({ path, request, comment }) => [path, { request, comment }]));
  for (const { path, request, comments } of requests) compare(path, { request, comment: comments.join('\n') }, made.get(path));
  const settings = new Map(plan.folders.map(({ path, variables, notes }) => [path, { variables, notes }]));
  const folders = foldersOf(part.items);
  compare('folders', folders.map(({ path }) => path).sort(), [...settings.keys()].sort());
  for (const { path, settings: own } of folders)
    compare(path, { variables: own.variables, notes: own.notes }, settings.get(path));
  for (const [path, items] of [['', part.items] as const, ...folders.map((one) => [one.path, one.items] as const)])
    compare(`order in ${path}`, ordered(items), madeIn(plan, path));
  return found;
}

/** Names in the order of a list of requests: folders without a request follow the others. */
function ordered(items: readonly PartItem[]): string[] {
  const isEmpty = (item: PartItem) => item.kind === 'folder' && requestsOf(item.items).length === 0;
  return [...items.filter((item) => !isEmpty(item)), ...items.filter(isEmpty)].map(({ path }) => nameOf(path));
}

/** Its requests come back with the values of then; everything else is named. */
async function throughHar(part: CollectionPart): Promise<string[]> {
  const { requests, notCarried } = preparePart(part, environment, Date.UTC(2026, 10, 20));
  const bodyOf = async (prepared: (typeof requests)[number]['prepared']) => assembleBody(prepared, '[hash]');
  const { text } = await collectionHar(requests, { now: 0, version: '1', bodyOf });
  const { plan } = planFiles({ files: [{ name: 'x.har', text }], target, environments: [environment] });
  const made = new Map(plan.requests.map(({ path, request }) => [path, request]));
  const isNamed = (where: string, what: Pick<RegExp, 'test'>) =>
    notCarried.some((one) => one.where === where && what.test(one.what)) || plan.notCarried.some((one) => what.test(one.what));
  return requestsOf(part.items).flatMap(({ path, request, comments }) => {
    const sent = requests.find(({ source }) => source.path === path)?.prepared;
    const back = made.get(path);
    if (sent === undefined || back === undefined) return isNamed(path, /the request/) ? [] : [`${path} is not in HAR, nor named`];
    const lost = [
      ...(back.operation === request.operation ? [] : [`${path} became ${back.operation}`]),
      ...(sent.dataJson === null || back.data === literal(sent.dataJson)
        ? []
        : [`${path}: ${sent.dataJson} became ${back.data}`]),
    ];
    if (comments.some((comment) => !isNamed(path, { test: (what) => what === `the comment ${comment}` })))
      lost.push(`${path}: a comment is not named`);
    for (const name of ['take', 'expect', 'notes', 'examples'] as const) {
      if (Object.keys(request[name]).length > 0 && !isNamed(path, kinds[name])) lost.push(`${path}: ${name} is not named`);
    }
    return lost;
  });
}

const kinds = { take: /^the variable/, expect: /^its checks/, notes: /^its notes/, examples: /^its examples/ };
