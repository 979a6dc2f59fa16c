import { STATUS_CODES } from 'node:http';
import type { RequestExample, Variables } from '#shared/collections/model.ts';
import { isJson } from '#shared/json/format.ts';
import { bruItem, readBru } from '../read/bru.ts';

/** A file, with its path below the directory of the collection. */
export interface BrunoFile {
  readonly name: string;
  readonly text: string;
}

/** A writer of the files of a collection in one form of them. */
export type BrunoPrinter = typeof bruPrinter;

/** Settings of a collection or a folder. */
export interface BrunoSettings {
  readonly name: string;
  readonly variables: Variables;
  /** Code that runs before each request. */
  readonly script: string;
  readonly notes: string;
}

interface BrunoRequest {
  readonly name: string;
  /** Position in its folder, from 1. */
  readonly seq: number;
  readonly url: string;
  readonly body: string;
  readonly tests: string;
  readonly notes: string;
  readonly tags: readonly string[];
  readonly examples: readonly RequestExample[];
}

/** Writes Bruno's own files, which are blocks of pairs and of texts. */
export const bruPrinter = {
  /** Ending of the files. */
  extension: '.bru',
  /** The names that files of requests cannot have, in lower case. */
  reserved: ['collection', 'folder'],
  /** Returns the text as a file gives it back. */
  textOf: textOfBlock,
  holdsVariable: (value: string): boolean => valueOfPair(value) === value && !value.includes("'''"),
  holdsExample: ({ name, body }: RequestExample): boolean =>
    valueOfPair(name) === name && textOfBlock(body) === body && !body.includes("'''"),
  holdsTag: (tag: string): boolean => bruItem.test(tag),
  /** Returns the files of the collection itself. */
  collection({ name, variables, script, notes }: BrunoSettings): BrunoFile[] {
    const settings = { version: '1', name, type: 'collection', ignore: ['node_modules', '.git'] };
    return [
      { name: 'bruno.json', text: `${JSON.stringify(settings, null, 2)}\n` },
      {
        name: 'collection.bru',
        text: blocks(variablesBlock(variables), textBlock('script:pre-request', script), textBlock('docs', notes)),
      },
    ];
  },
  /** `secret` names a variable whose value is entered in Bruno. */
  environment: (_: string, variables: Variables, secret: string): string =>
    `${pairBlock('vars', Object.entries(variables))}vars:secret [\n  ${secret}\n]\n`,
  folder: ({ name, seq, variables, script, notes }: BrunoSettings & { readonly seq: number }): string =>
    blocks(
      metaBlock(name, seq),
      variablesBlock(variables),
      textBlock('script:pre-request', script),
      notes === '' ? '' : textBlock('docs', notes),
    ),
  request: ({ name, seq, url, body, tests, notes, tags, examples }: BrunoRequest): string =>
    blocks(
      metaBlock(name, seq, { type: 'http', tags }),
      pairBlock('post', [
        ['url', url],
        ['body', 'json'],
        ['auth', 'none'],
      ]),
      textBlock('body:json', body),
      textBlock('tests', tests),
      notes === '' ? '' : textBlock('docs', notes),
      ...examples.map((example) => exampleBlock(example, url)),
    ),
};

function metaBlock(name: string, seq: number, request?: { readonly type: string; readonly tags: readonly string[] }): string {
  const { type, tags = [] } = request ?? {};
  const own: [string, string][] = valueOfPair(name) === name ? [['name', name]] : [];
  return pairBlock('meta', [
    ...own,
    ...(type === undefined ? [] : [['type', type] as const]),
    ['seq', String(seq)],
    ...(tags.length === 0 ? [] : [['tags', tags] as const]),
  ]);
}

function variablesBlock(variables: Variables): string {
  const pairs = Object.entries(variables);
  return pairs.length === 0 ? '' : pairBlock('vars:pre-request', pairs);
}

function exampleBlock({ name, status, body }: RequestExample, url: string): string {
  const lines = [
    `name: ${name}`,
    '',
    'request: {',
    `  url: ${url}`,
    '  method: post',
    '  mode: json',
    '}',
    '',
    'response: {',
    '  status: {',
    `    code: ${status}`,
    `    text: ${STATUS_CODES[status] ?? ''}`.trimEnd(),
    '  }',
    '',
    '  body: {',
    `    type: ${isJson(body) ? 'json' : 'text'}`,
    "    content: '''",
    indented(body, 6),
    "    '''",
    '  }',
    '}',
  ];
  return textBlock('example', lines.join('\n'));
}

function blocks(...some: readonly string[]): string {
  return some.filter((one) => one !== '').join('\n');
}

/** Returns a block of pairs; a value of several lines stands between three quotes. */
function pairBlock(name: string, pairs: readonly (readonly [name: string, value: string | readonly string[]])[]): string {
  const lines = pairs.map(([key, value]) =>
    `  ${key}: ${typeof value === 'string' ? textOfPair(value) : listOfPair(value)}`.trimEnd(),
  );
  return `${name} {\n${[...lines, '}'].join('\n')}\n`;
}

function textOfPair(value: string): string {
  return /[\r\n]/.test(value) ? `'''\n${indented(value, 4)}\n  '''` : value;
}

function listOfPair(items: readonly string[]): string {
  return `[\n${indented(items.join('\n'), 4)}\n  ]`;
}

function textBlock(name: string, text: string): string {
  return `${name} {\n${indented(text, 2)}\n}\n`;
}

function indented(text: string, spaces: number): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(spaces) + line)
    .join('\n');
}

/** Returns the text as a block gives it back: its line ends are all of one kind there. */
function textOfBlock(text: string): string {
  return readBru(textBlock('docs', text), 'x')[0]?.text ?? '';
}

/** Returns the value as a pair gives it back; null if it cannot stand in one. */
function valueOfPair(value: string): string | null {
  try {
    const [block, ...more] = readBru(pairBlock('vars', [['x', value]]), 'x');
    const [pair, ...others] = block?.pairs ?? [];
    return more.length > 0 || others.length > 0 ? null : (pair?.value ?? null);
  } catch {
    return null;
  }
}
