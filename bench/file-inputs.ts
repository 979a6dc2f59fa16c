/** Files that could stop the program: requests in YAML, and files of other tools. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CollectionRequest } from '#shared/collections/model.ts';
import { draftOf } from '#testing/app.ts';
import { openPackIn, supportPackText } from '#testing/support-pack.ts';
import type { HostileInput } from './inputs.ts';

const megabyte = 1_000_000;
const most = 5 * megabyte;

function many(make: (at: number) => string, size: number): string {
  const parts: string[] = [];
  for (let length = 0, at = 0; length < size; at += 1) {
    const part = make(at);
    parts.push(part);
    length += part.length;
  }
  // The last one may pass the limit.
  return parts.slice(0, -1).join('');
}

const same = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
const request = 'operation: bet\n';

/** Returns a path in the collection of the probe. */
const place = (folder: string, name: string) => join(folder, 'collection', name);

/** Creates an input of a file of the collection that is listed, opened and, if that worked, saved with another note. */
function yaml(name: string, text: () => string, file = 'hostile.yaml'): HostileInput {
  return {
    name: `YAML: ${name}`,
    prepare: async ({ folder }) => writeFile(place(folder, file), text()),
    async work({ test, collectionId: id }) {
      const { nodes, problem } = await test.client.call('collections.tree', { id });
      const problems = [problem, ...nodes.map((node) => node.problem)].filter((one) => one !== null);
      const settings = file === 'collection.yaml';
      const opened = settings
        ? await test.client.call('collections.readFolder', { id, path: '' }).catch(() => null)
        : await test.client.call('collections.read', { id, path: file }).catch(() => null);
      if (opened === null) return problems[0]?.message.slice(0, 80) ?? 'not opened';
      if ('request' in opened) {
        const { revision, request: old } = opened;
        return test.client.call('collections.save', { id, path: file, revision, request: { ...old, notes: 'Mine.' } }).then(
          () => 'opened and saved',
          (error: Error) => `opened; ${error.message.slice(0, 70)}`,
        );
      }
      const { revision, settings: old } = opened;
      return test.client.call('collections.saveFolder', { id, path: '', revision, settings: { ...old, notes: 'Mine.' } }).then(
        () => 'opened and saved',
        (error: Error) => `opened; ${error.message.slice(0, 70)}`,
      );
    },
  };
}

function imported(name: string, file: string, text: () => string): HostileInput {
  let content = '';
  return {
    name: `Import: ${name}`,
    prepare: async () => {
      content = text();
    },
    work: ({ test }) =>
      test.client.call('collections.importPreview', { files: [{ name: file, text: content }] }).then(
        ({ requests, notCarried }) => `${requests.length} requests, ${notCarried.length} not carried`,
        (error: Error) => error.message.slice(0, 90),
      ),
    async cancel({ test }) {
      const ticket = 'stop';
      const begun = new Promise<void>((resolve) => {
        const quiet = test.client.on('collections.importing', () => {
          quiet();
          resolve();
        });
      });
      const read = test.client.call('collections.importPreview', { files: [{ name: file, text: content }], ticket });
      const ended = read.catch(() => null);
      await Promise.race([begun, ended]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const from = performance.now();
      await test.client.call('collections.cancelImport', { ticket });
      await ended;
      return performance.now() - from;
    },
  };
}

const body = '{"action":"getGameRound","platform":1,"partnerId":42,"time":"20-11-2026 10:15:30","data":{"roundId":1},"hash":"x"}';
const signed = (data: string) => body.replace('{"roundId":1}', data).replace('"hash":"x"', `"hash":"${'ab'.repeat(32)}"`);
const harEntry = JSON.stringify({
  request: { method: 'POST', url: 'https://a.example/serviceApi.php', headers: [], postData: { text: body } },
  response: { status: 200, content: { text: 'x'.repeat(200) } },
});
const postmanItem = JSON.stringify({
  name: 'a',
  request: { method: 'POST', url: 'https://a.example/serviceApi.php', body: { mode: 'raw', raw: body } },
});

/** Creates an input of a payload near its limits that is signed and sent. */
function payload(name: string, text: () => string): HostileInput {
  return {
    name: `Payload: ${name}`,
    async work({ test, environment }) {
      const draft = draftOf(environment.id, { operation: 'getGameRound', form: 'main', text: text() });
      return test.send(draft).then(
        (call) => `sent, ${call.requestBytes} bytes`,
        (error: Error) => error.message.slice(0, 90),
      );
    },
  };
}

/** The file of the issue. */
export const largeFile = yaml('50 MB of a list', () => `${request}expect:\n${same('  - code: 0\n', 50 * megabyte)}`);

/** Inputs that bring the YAML library and the readers of other tools' files near their limits. */
export const fileInputs: readonly HostileInput[] = [
  {
    name: 'a support pack of 6,000 calls',
    async work({ test }) {
      const { id, calls } = await openPackIn(test.client, supportPackText(6_000, new Date(0)));
      const { total } = await test.client.call('calls.list', { pack: id, text: 'nowhere' });
      return `${calls} calls, ${total} found`;
    },
  },
  yaml('5 MB of data, one line', () => `${request}data: |\n  ${'x'.repeat(most - 40)}\n`),
  yaml('5 MB of data, JSON laid out', () => `${request}data: |\n${many((at) => `  "name${at}": "value ${at}",\n`, most - 100)}`),
  yaml('5 MB of empty lines in data', () => `${request}data: |\n${'\n'.repeat(most - 100)}  a\n`),
  yaml('5 MB of short lines in data', () => `${request}data: |\n${same('  a\n', most - 100)}`),
  yaml('5 MB of lines folded', () => `${request}notes: >\n${same('  a\n   b\n', most - 100)}`),
  yaml('variables', () => `variables:\n${many((at) => `  a${at}: 1\n`, 330_000)}`, 'collection.yaml'),
  yaml('5 MB of variables', () => `variables:\n${many((at) => `  a${at}: 1\n`, most)}`, 'collection.yaml'),
  yaml('long variables', () => `variables:\n${many((at) => `  a${at}: ${'x'.repeat(500)}\n`, most - 100)}`, 'collection.yaml'),
  yaml('names that nothing reads', () => `${request}${many((at) => `zzqx${at}: 1\n`, 400_000)}`),
  yaml('mistaken names', () => `${request}${many((at) => `expect${at}: 1\n`, 400_000)}`),
  yaml('comments', () => `${request}${same('# c\n', 300_000)}`),
  yaml('5 MB of comments', () => `${request}${same(`# ${'c'.repeat(60)}\n`, most - 100)}`),
  yaml('documents', () => same('---\n', most - 100)),
  yaml('brackets', () => `${request}expect: ${'['.repeat(most - 100)}`),
  yaml('closing brackets', () => `${request}${']'.repeat(most - 100)}`),
  yaml('a flow of texts', () => `${request}expect: [${same('a,', 300_000)}]`),
  yaml('a flow of empty lists', () => `${request}expect: [${same('[],', 190_000)}]`),
  yaml('a flow of quotes without commas', () => `${request}expect: [${same('"a"', 180_000)}]`),
  yaml('names without a colon', () => `${request}${same('k\n', 130_000)}`),
  yaml('anchors', () => `${request}expect:\n${many((at) => `- &a${at} b\n`, most - 100)}`),
  yaml('tags', () => `${request}expect:\n${same('- !!str b\n', most - 100)}`),
  yaml('laughs', () => `a: &a [x,x]\n${many((at) => `b${at}: &b${at} [*a,*a]\n`, most - 100)}`),
  yaml('blanks behind a mark', () => `${request}form: | # ${' '.repeat(most - 100)}x\n  a\n`),
  yaml('a last line of blanks', () => `${request}form: a\n${' '.repeat(most / 2)}${'b'.repeat(most / 2 - 100)}`),
  yaml('a text of many lines', () => `${request}form: a\n${same('  b\n', most - 100)}`),
  yaml('escapes', () => `${request}notes: "${same('\\x41', most - 100)}"`),
  yaml('question marks', () => `${request}${same('?\n', 100_000)}`),
  yaml('tabs', () => `${request}form:${'\t'.repeat(most - 100)}a\n`),
  {
    name: 'YAML: a save that would have 20 MB',
    prepare: async ({ folder }) => writeFile(place(folder, 'a.yaml'), request),
    async work({ test, collectionId: id }) {
      const { revision } = await test.client.call('collections.read', { id, path: 'a.yaml' });
      const example = { status: '200', body: '"\n'.repeat(100_000) };
      const examples = Array.from({ length: 100 }, (_, at) => ({ ...example, name: `${at}` }));
      const value = CollectionRequest.parse({ operation: 'bet', examples });
      return test.client.call('collections.save', { id, path: 'a.yaml', revision, request: value }).then(
        () => 'saved',
        (error: Error) => error.message.slice(0, 80),
      );
    },
  },
  {
    name: 'YAML: 10,000 variables exchanged for others',
    prepare: async ({ folder }) =>
      writeFile(place(folder, 'collection.yaml'), `variables:\n${many((at) => `  a${at}: 1\n`, 100_000)}`),
    async work({ test, collectionId: id }) {
      const { revision, settings } = await test.client.call('collections.readFolder', { id, path: '' });
      const variables = Object.fromEntries(Object.keys(settings.variables).map((name) => [`b${name}`, '2']));
      return test.client.call('collections.saveFolder', { id, path: '', revision, settings: { ...settings, variables } }).then(
        () => `${Object.keys(variables).length} saved`,
        (error: Error) => error.message.slice(0, 80),
      );
    },
  },
  payload('1,000,000 characters in one string', () => `{"a":"${'é/'.repeat(499_000)}"}`),
  payload('1,000,000 escapes', () => `{"a":"${same('\\u00e9', 999_000)}"}`),
  payload('20,000 numbers', () => `{"a":[${same('9007199254740993.50,', 390_000)}1]}`),
  payload('20,000 names', () => `{${many((at) => `"a name of some length ${at}":{},`, 300_000)}"b":1}`),
  payload('5,000,000 characters', () => `{"a":"${'x'.repeat(4_999_000)}"}`),
  payload('900,000 brackets', () => '['.repeat(900_000)),
  imported('HAR, 10 MB', 'a.har', () => `{"log":{"entries":[${same(`${harEntry},`, 9.9 * megabyte)}${harEntry}]}}`),
  imported('HAR of empty entries', 'a.har', () => `{"log":{"entries":[${same('{},', 9.9 * megabyte)}{}]}}`),
  imported('HAR of 200,000 empty entries', 'a.har', () => `{"log":{"entries":[${same('{},', 600_000)}{}]}}`),
  imported(
    'Postman, 4,000 requests',
    'a.json',
    () => `{"info":{"name":"a"},"item":[${same(`${postmanItem},`, 900_000)}${postmanItem}]}`,
  ),
  imported(
    'Postman, nested folders',
    'a.json',
    () => `{"info":{"name":"a"},"item":${'[{"item":'.repeat(300)}[]${'}]'.repeat(300)}}`,
  ),
  imported('JSON, nested', 'a.json', () => '['.repeat(9 * megabyte)),
  imported('OpenCollection, a list', 'a.yml', () => `opencollection: 1\nitems:\n${same('  - a\n', 9.9 * megabyte)}`),
  imported('Bruno, 10 MB of headers', 'a.bru', () => `meta {\n  name: a\n}\nheaders {\n${same('  a: b\n', 9.9 * megabyte)}}\n`),
  imported('cURL, 10 MB of commands', 'a.txt', () => same(`curl -d '{}' https://a.example/x\n`, 9.9 * megabyte)),
  imported('cURL, 10 MB of words', 'a.txt', () => `curl ${same('a ', 9.9 * megabyte)}`),
  imported('cURL, 10 MB of data', 'a.txt', () => `curl -d '${'x'.repeat(9.9 * megabyte)}' https://a.example/x`),
  imported(
    'cURL, 4.9 MB of slashes that were signed',
    'a.txt',
    () => `curl https://a.example/serviceApi.php -d '${signed(`"${'/'.repeat(4.9 * megabyte)}"`)}'`,
  ),
  imported(
    'cURL, 4.9 MB of numbers that were signed',
    'a.txt',
    () => `curl https://a.example/serviceApi.php -d '${signed(`[${'1,'.repeat(2.4 * megabyte)}1]`)}'`,
  ),
  imported('cURL, 10 MB of quotes', 'a.txt', () => `curl ${same(`''`, 9.9 * megabyte)}`),
  imported('cURL, half a megabyte of commands', 'a.txt', () =>
    same(`curl -d '${body}' https://a.example/serviceApi.php\n`, 500_000),
  ),
];
