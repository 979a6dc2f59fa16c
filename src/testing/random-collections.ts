import type { CollectionRequest, Expectation, Variables } from '#shared/collections/model.ts';
import type { CollectionPart, PartItem } from '#core/formats/write/collection-part.ts';
import { operations } from '#shared/provider/index.ts';
import { createJsonGenerator } from './random-json.ts';
import { createChoices } from './seeded-random.ts';

const words = [
  'bet',
  'Zażółć',
  '2 x',
  'a.b',
  "it's",
  '"',
  '\\',
  '€',
  '😀',
  '{{x}}',
  '// croupier',
  '*/',
  '\u2028',
  '</script>',
  '\t',
  '${x}',
];
const paths = [
  '',
  '/balance',
  '/data/slots/0/id',
  '/a~1b',
  '$.data[*].id',
  '$.data.slots[-1]',
  "$['a b']",
  "$[?@.name == 'x']",
  '$..id',
];
const names = ['player', 'amount', 'x.y', 'A-1', '_z', 'roundId', 'baseUrl'];

/** Creates collections with everything that the files of one can hold, as `readPart` gives them. No text looks like a secret. */
export function createCollections(random: () => number) {
  const choices = createChoices(random);
  const { below, chance, pick } = choices;
  const json = createJsonGenerator(random);
  const many = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);
  const text = (): string => many(4, () => pick(words)).join(pick([' ', '\n', '']));
  const value = (): string => (chance(0.3) ? `{{${pick(names)}}}` : chance(0.5) ? String(below(10_000) / 100) : text());
  const variables = (): Variables => Object.fromEntries(many(3, () => [pick(names), value()]));

  function data(): string {
    if (chance(0.1))
      return pick([
        '',
        ' ',
        '{}',
        '[1, 2]',
        'not json',
        '{"a": {{amount}}, "b": "{{x.y}}"}',
        '{"t":"{{$now+7d}}", "id":"{{$uniqueId:bet}}"}',
      ]);
    return chance(0.5)
      ? json.text()
      : `{\n  "roundId": 9007199254740993, "amount": ${pick(['0.10', '{{amount}}'])},\n  "note": ${JSON.stringify(text())}}\n`;
  }

  function expectation(): Expectation {
    const kind = below(6);
    if (kind === 0) return { code: pick(['0', '8', '{{amount}}']) };
    if (kind === 1) return { status: '200' };
    if (kind === 2) return { withinMs: '500' };
    if (kind === 3) return { shape: 'documented' };
    if (kind === 4) return { balance: { before: value(), change: `-${value()}` } };
    const some = {
      present: chance(0.5),
      type: pick(['object', 'integer', 'null']),
      equals: value(),
      not: value(),
      contains: text(),
    } as const;
    const more = {
      matches: pick(['^\\d+$', '"/', '.*']),
      above: '1',
      atLeast: '0.10',
      below: value(),
      atMost: '1e400',
      count: '3',
    } as const;
    const chosen = Object.entries({ ...some, ...more }).filter(() => chance(0.15));
    return { path: pick(paths), ...Object.fromEntries(chosen) };
  }

  function request(): CollectionRequest {
    const operation = pick(operations);
    const overrides: CollectionRequest['overrides'] = {};
    if (chance(0.1)) overrides.hash = pick(['wrong', 'none', '']);
    if (chance(0.1)) overrides.time = pick(['then', '20-11-2026 10:15:30']);
    if (chance(0.1)) overrides.platform = pick(['7', '"x"']);
    if (chance(0.1)) overrides.partnerId = '43';
    if (chance(0.1)) overrides.omit = [pick(['action', 'platform', 'partnerId', 'time', 'data', 'hash'] as const)];
    return {
      operation: operation.name,
      form: pick(['', ...operation.forms.map(({ id }) => id)]),
      // Without a draw, so that the rest of a seed stays as it is.
      tags: ['smoke', 'slow', '1.0'].slice(operation.name.length % 4),
      data: data(),
      overrides,
      take: Object.fromEntries(many(2, () => [pick(names), pick(paths)])),
      expect: many(4, expectation),
      notes: chance(0.6) ? '' : text(),
      examples: many(2, () => ({
        name: `Response ${below(9)}`,
        status: pick(['200', '404', '500']),
        body: chance(0.5) ? text() : json.text(),
      })),
    };
  }

  function items(folder: string, depth: number): PartItem[] {
    const taken = new Set<string>();
    return many(4, () => {
      const name = `${pick(['Bet', 'a  b', 'Ünï', 'x'.repeat(120), 'first call', 'con2'])}${below(100)}`;
      const isFolder = depth < 3 && chance(0.25);
      const path = `${folder === '' ? '' : `${folder}/`}${name}${isFolder ? '' : '.yaml'}`;
      if (taken.has(name.toLowerCase())) return [];
      taken.add(name.toLowerCase());
      // Without a draw, as tags are.
      const comments = ['// croupier: "quoted" \\n', '', '} */ żółć {{x}}'].slice(name.length % 4);
      if (!isFolder) return [{ kind: 'request' as const, path, name, request: request(), comments, folders: [] }];
      const inside = items(path, depth + 1);
      const settings = { variables: variables(), order: [], notes: chance(0.6) ? '' : text() };
      return [{ kind: 'folder' as const, path, name, settings, items: inside }];
    }).flat();
  }

  return (): CollectionPart => ({
    name: pick(['team', 'Zażółć {{x}}', '"']),
    notes: chance(0.5) ? '' : text(),
    variables: variables(),
    around: [],
    items: items('', 0),
    unread: [],
  });
}
