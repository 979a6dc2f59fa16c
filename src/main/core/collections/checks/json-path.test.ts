import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { pointerTo } from '#shared/json/pointer.ts';
import { valueText } from '#shared/json/values.ts';
import { readJsonPath } from './json-path.ts';

function nodeOf(text: string): JsonNode {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.root;
}

/** The places and values that a path finds. */
function found(path: string, text: string): string[] {
  const read = readJsonPath(path);
  if (!read.ok) throw new Error(read.message);
  const root = nodeOf(text);
  const result = read.path.find(root);
  if (!result.ok) throw new Error(result.message);
  return result.nodes.map((node) => `${pointerTo(root, node)} = ${valueText(text, node)}`);
}

interface SuiteCase {
  name: string;
  selector: string;
  document?: unknown;
  result?: unknown[];
  results?: unknown[][];
  invalid_selector?: true;
}

// The suite of the JSONPath community is in the package of another implementation, which nothing else here uses.
const suitePackage = dirname(createRequire(import.meta.url).resolve('jsonpath-rfc9535/package.json'));
const suite = JSON.parse(readFileSync(join(suitePackage, 'src/__tests__/jsonpath-compliance-test-suite/cts.json'), 'utf8')) as {
  tests: SuiteCase[];
};

describe('the compliance suite of RFC 9535', () => {
  it('is all there', () => expect(suite.tests.length).toBeGreaterThan(650));

  it.each(suite.tests.map((test) => [test.name, test] as const))(
    '%s',
    (_, { selector, document, result, results, invalid_selector }) => {
      const read = readJsonPath(selector);
      if (invalid_selector === true) {
        expect(read).toMatchObject({ ok: false });
        return;
      }
      if (!read.ok) throw new Error(read.message);
      const text = JSON.stringify(document);
      const outcome = read.path.find(nodeOf(text));
      if (!outcome.ok) throw new Error(outcome.message);
      const values = outcome.nodes.map((node) => JSON.parse(text.slice(node.start, node.end)) as unknown);
      expect(results ?? [result]).toContainEqual(values);
    },
  );
});

describe('numbers of any length', () => {
  const ids = '{"ids":[{"id":9007199254740992,"n":1},{"id":9007199254740993,"n":2},{"id":9007199254740994,"n":3}]}';

  it.each([
    ['$.ids[?@.id==9007199254740993].n', ['/ids/1/n = 2']],
    ['$.ids[?@.id>9007199254740992].n', ['/ids/1/n = 2', '/ids/2/n = 3']],
    ['$.ids[?@.id<9007199254740993].n', ['/ids/0/n = 1']],
    ['$.ids[?@.id!=9007199254740993].n', ['/ids/0/n = 1', '/ids/2/n = 3']],
    ['$.ids[?@==$.ids[1]].n', ['/ids/1/n = 2']],
  ])('are compared exactly by %s', (path, expected) => expect(found(path, ids)).toEqual(expected));

  it('keep every digit as it was written', () => {
    expect(found('$[*]', '[9007199254740993,0.10,1e400,-0,1E+2]')).toEqual([
      '/0 = 9007199254740993',
      '/1 = 0.10',
      '/2 = 1e400',
      '/3 = -0',
      '/4 = 1E+2',
    ]);
    expect(found('$[?@>1e399]', '[1e400,1e398]')).toEqual(['/0 = 1e400']);
    expect(found('$[?@==0.1]', '[0.10,0.1000000000000000001]')).toEqual(['/0 = 0.10']);
  });
});

describe('what the library gets otherwise', () => {
  it.each(['0.1', '-0.1', '0.5e-3', '-0', '0', '1.50', '1E+2'])('the number %s', (number) =>
    expect(found(`$[?@==${number}]`, `[${number},7]`)).toEqual([`/0 = ${number}`]),
  );
  it.each(['-01', '00', '01', '1.', '.5', '1.-1', '+1', '1e', '0x1', '--1'])('%s, which is not a number', (number) =>
    expect(readJsonPath(`$[?@==${number}]`)).toMatchObject({ ok: false }),
  );
  it('a conjunction of three', () =>
    expect(found('$[?@.a && @.b && @.c]', '[{"a":1,"b":1},{"a":1,"b":1,"c":1}]')).toHaveLength(1));
  it('a length in characters', () => expect(found('$[?length(@)==1]', '["😀","ab"]')).toEqual(['/0 = 😀']));
  it('the order of texts by code points', () => expect(found("$[?@>'\uffff']", '["😀","a"]')).toEqual(['/0 = 😀']));
  it('a duplicate name, of which the last value counts', () => expect(found('$.a', '{"a":1,"a":2}')).toEqual(['/a = 2']));
  it('names that an object of JavaScript has by itself', () => {
    expect(found('$.__proto__', '{"__proto__":{"a":1}}')).toEqual(['/__proto__ = {"a":1}']);
    expect(found('$.constructor', '{}')).toEqual([]);
    expect(found('$.length', '[1]')).toEqual([]);
  });
});

describe('paths that are made to hurt', () => {
  const big = JSON.stringify(Array.from({ length: 1_000 }, () => [1, [2, [3]]]));

  it.each(['$..*..*..*..*..*', '$..[?@..*]..[?@..*]..[?count(@..*)>1]', '$[?count($..*)>1]', '$[?$==$]'])('%s ends', (path) => {
    const read = readJsonPath(path);
    if (!read.ok) throw new Error(read.message);
    const result = read.path.find(nodeOf(big));
    expect(result.ok || result.message.includes('5,000,000')).toBe(true);
  });

  it('refuses to look at more than it may', () => {
    const read = readJsonPath('$[?count($..*)>1]');
    expect(read.ok && read.path.find(nodeOf(big))).toMatchObject({ ok: false });
  });

  it.each([
    `$${'..*'.repeat(500)}`,
    `$[?${'('.repeat(900)}@.a${')'.repeat(900)}]`,
    `$[?${'!'.repeat(1_900)}@.a]`,
    `$${'[?@'.repeat(600)}${']'.repeat(600)}`,
    '$[?',
    '$.a[(process.exit())]',
    "$['a",
    '$[9007199254740992]',
    '$.a~',
    '$[?(constructor.constructor("return 1")())]',
    '',
    ' $',
  ])('%.40s is read or refused', (path) => {
    const read = readJsonPath(path);
    if (read.ok) expect(read.path.find(nodeOf('{"a":[1]}'))).toHaveProperty('ok');
    else expect(read.message).toMatch(/^Not a valid JSONPath: /);
  });

  it('survives a pattern that the response nests without end', () => {
    const read = readJsonPath('$[?match(@.a, @.p)]');
    const text = JSON.stringify([{ a: 'x', p: '('.repeat(200_000) }]);
    expect(read.ok && read.path.find(nodeOf(text))).toHaveProperty('ok');
  });

  it('follows the deepest response there can be', () => {
    const deep = `${'['.repeat(1_000)}1${']'.repeat(1_000)}`;
    expect(found('$..*', deep)).toHaveLength(1_000);
    expect(found('$[?@==$[0]]', deep)).toHaveLength(1);
  });
});
