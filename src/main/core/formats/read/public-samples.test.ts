import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson } from '#shared/json/parse.ts';
import type { ImportPlan } from '#shared/ipc/index.ts';
import { createTestApp } from '#testing/app.ts';
import { readBru } from './bru.ts';

// Collections that others wrote with Postman, and files of Bruno from its own package (MIT). They are about other APIs, so the tests
// check that each part of them is named.
const postman = join(import.meta.dirname, 'fixtures/real');
const bruno = dirname(createRequire(import.meta.url).resolve('@usebruno/lang/package.json'));

const under = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .sort();

interface PostmanItem {
  readonly name?: string;
  readonly item?: readonly PostmanItem[];
  readonly request?: unknown;
  readonly response?: readonly { readonly name?: string }[];
  readonly event?: readonly unknown[];
}

/** Returns every request with its position as a JSON Pointer. */
function requestsIn(items: readonly PostmanItem[], at = '/item'): { at: string; item: PostmanItem }[] {
  return items.flatMap((item, index) => {
    const own = `${at}/${index}`;
    return item.item === undefined ? [{ at: own, item }] : requestsIn(item.item, `${own}/item`);
  });
}

async function plan(files: { name: string; text: string }[]): Promise<ImportPlan> {
  const test = await createTestApp();
  try {
    return await test.client.call('collections.importPreview', { files });
  } finally {
    await test.close();
  }
}

const namedAt = ({ notCarried }: ImportPlan) => new Set(notCarried.flatMap(({ at }) => at));

describe('collections that others wrote with Postman', () => {
  const samples = ['complex-v2_0', 'complex-v2_1', 'oauth2-v2_1'].map((name) => `insomnia-postman-${name}.json`);

  it.each(samples)('%s: every request is carried or named at its place', async (name) => {
    const text = readFileSync(join(postman, name), 'utf8');
    const { item, variable = [] } = JSON.parse(text) as { item: PostmanItem[]; variable?: { key?: string; id?: string }[] };
    const made = await plan([{ name, text }]);
    const requests = requestsIn(item);
    expect(requests.length).toBeGreaterThan(0);
    const carried = requests.filter((one) => !namedAt(made).has(one.at));
    expect(made.requests).toHaveLength(carried.length);
    for (const one of requests) {
      if (carried.includes(one)) continue;
      const loss = made.notCarried.find(({ at }) => at.includes(one.at));
      expect(loss?.what, one.at).toMatch(/^the request /);
      // A request's saved responses and scripts are named with it, by name or number.
      const answers = one.item.response?.length ?? 0;
      if (answers > 0) expect(loss?.why, one.at).toContain(`${answers} saved ${answers === 1 ? 'answer' : 'answers'}`);
      if ((one.item.event?.length ?? 0) > 0) expect(loss?.why, one.at).toContain('script');
    }
    for (const { key = '', id = '' } of variable) {
      const known = key === '' ? id : key;
      const kept = Object.hasOwn(made.variables, known) || made.notCarried.some(({ what }) => what.includes(known));
      expect(kept, `the variable ${known}`).toBe(true);
    }
  });

  it('name every member of the file that nobody takes', async () => {
    // The same file with a field that no format has in each of its objects: each of them is named.
    const name = samples[1] ?? '';
    const document = JSON.parse(readFileSync(join(postman, name), 'utf8')) as { item: PostmanItem[] };
    const folders: string[] = [];
    const mark = (items: readonly PostmanItem[], at: string) => {
      items.forEach((item, index) => {
        if (item.item === undefined) return;
        Object.assign(item, { stranger: 'x' });
        folders.push(`${at}/${index}/stranger`);
        mark(item.item, `${at}/${index}/item`);
      });
    };
    mark(document.item, '/item');
    expect(folders.length).toBeGreaterThan(0);
    const at = namedAt(await plan([{ name, text: JSON.stringify({ ...document, stranger: 'x' }) }]));
    for (const place of [...folders, '/stranger']) expect(at, place).toContain(place);
  });
});

describe('files that others wrote with Bruno', () => {
  // Those of its first version are of another format.
  const samples = under(bruno, '.bru').filter((name) => name.startsWith('v2'));

  it('are there', () => {
    expect(samples.length).toBeGreaterThan(20);
  });

  it.each(samples)('%s: every block is carried or named at its line', async (name) => {
    const text = readFileSync(join(bruno, name), 'utf8');
    const file = name.split(/[\\/]/).at(-1) ?? name;
    const made = await plan([{ name: file, text }]);
    const said = JSON.stringify(made);
    const request = made.notCarried.find(({ what }) => what.startsWith('the request '));
    for (const { name: block, pairs, items, text: content } of readBru(text, file)) {
      // The parts of a request that is not one of this API are named with it.
      if (request !== undefined) {
        if (block.startsWith('script') || block === 'tests') expect(request.why, block).toMatch(/script|tests/);
        else if (block === 'assert') expect(request.why, block).toMatch(/\d checks? of the response|the assertion about/);
        else if (block === 'example') expect(request.why, block).toMatch(/saved response/);
        else if (block === 'headers') for (const pair of pairs) expect(request.why).toContain(`the header ${pair.name}`);
        else if (block.startsWith('vars')) for (const pair of pairs) expect(said, block).toContain(pair.name);
        else if (block === 'docs' && content.trim() !== '') expect(request.why).toContain('its description');
        else if (!isPartOfRequest(block)) expect(request.why, block).toContain(block.split(':')[0]);
      } else if (block.startsWith('auth')) expect(said, block).toContain('the authorization');
      else if (block.startsWith('script')) expect(said, block).toContain('script');
      else {
        for (const pair of pairs) expect(said, block).toContain(JSON.stringify(pair.name).slice(1, -1));
        for (const item of items) expect(said, block).toContain(item);
      }
    }
    expect(parseJson(said).ok).toBe(true);
  });
});

/** Returns whether the words `the request GET https://…` cover the block, or it is the body. */
function isPartOfRequest(block: string): boolean {
  return /^(?:meta|http|get|post|put|delete|patch|options|head|connect|trace|body|auth|params|settings)(?::|$)/.test(block);
}
