/** Returns a valid input spoiled in every way that we know; some results stay valid, as a field is optional. */
export function malformations(input: unknown): unknown[] {
  return [
    null,
    [],
    [input],
    '',
    'x',
    0,
    true,
    false,
    1.5,
    -1,
    1e300,
    '{}',
    '[object Object]',
    JSON.stringify(input),
    '\u0000',
    '\ud800',
    'x'.repeat(300_000),
    [null],
    [[]],
    [input, input],
    Array.from({ length: 1_000 }, () => 0),
    nest(100),
    { input },
    { 0: input },
    ...foreignNames.map((name) => withField(input, name, 1)),
    withField(input, 'constructor', { prototype: { polluted: true } }),
    withField(input, 'toString', null),
    withField(input, 'unknown', 'x'.repeat(300_000)),
    withField(input, 'unknown', nest(64)),
    JSON.parse(`{"__proto__": ${JSON.stringify(input)}}`) as unknown,
    ...spoiledFields(input, 0),
  ];
}

/** Names that no input has, among them those that mean something to JavaScript. */
const foreignNames = [
  'unknown',
  '',
  ' ',
  'ID',
  'length',
  'then',
  'toJSON',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  '__defineGetter__',
  'name\u0000',
  '\u2028',
  'ünïcode',
  '0',
  'x'.repeat(10_000),
];

function spoiledFields(value: unknown, depth: number): unknown[] {
  if (depth > 3 || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const fields = value as Record<string, unknown>;
  return Object.keys(fields).flatMap((name) => {
    const { [name]: field, ...others } = fields;
    const wrong = [
      null,
      [],
      {},
      [field],
      { value: field },
      1.5,
      -1,
      1e300,
      true,
      '',
      'x'.repeat(300_000),
      '\u0000',
      '../../etc/passwd',
      nest(64),
    ];
    return [
      others,
      withField(value, 'unknown', 1),
      ...wrong.map((spoiled) => ({ ...fields, [name]: spoiled })),
      ...spoiledFields(field, depth + 1).map((spoiled) => ({ ...fields, [name]: spoiled })),
    ];
  });
}

function withField(value: unknown, name: string, field: unknown): unknown {
  return typeof value === 'object' && value !== null ? { ...value, [name]: field } : { [name]: field };
}

function nest(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}
