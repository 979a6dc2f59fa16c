import { STATUS_CODES } from 'node:http';
import type { RequestExample, Variables } from '#shared/collections/model.ts';
import { isJson } from '#shared/json/format.ts';
import { printField, type Printable } from '../../collections/yaml-print.ts';
import type { BrunoPrinter, BrunoSettings } from './bru-printer.ts';

/** Writes OpenCollection, the YAML of Bruno 3 and later. It can hold every text. */
export const openCollectionPrinter: BrunoPrinter = {
  extension: '.yml',
  reserved: ['opencollection', 'folder'],
  textOf: (text) => text,
  holdsVariable: () => true,
  holdsExample: () => true,
  holdsTag: () => true,
  collection: ({ name, ...settings }) => [
    { name: 'opencollection.yml', text: document({ opencollection: '1.0.0', info: { name }, ...defaults(settings) }) },
  ],
  environment: (name, variables, secret) =>
    document({ name, variables: [...variableItems(variables), { name: secret, secret: true }] }),
  folder: ({ name, seq, ...settings }) => document({ info: { name, type: 'folder', seq }, ...defaults(settings) }),
  request: ({ name, seq, url, body, tests, notes, tags, examples }) =>
    document({
      info: { name, type: 'http', seq, ...(tags.length === 0 ? {} : { tags }) },
      http: { method: 'POST', url, body: { type: 'json', data: body } },
      runtime: { scripts: [{ type: 'tests', code: tests }] },
      ...(examples.length === 0 ? {} : { examples: examples.map((example) => exampleOf(example, url)) }),
      ...(notes === '' ? {} : { docs: notes }),
    }),
};

function defaults({ variables, script, notes }: Omit<BrunoSettings, 'name'>): Record<string, Printable> {
  const items = variableItems(variables);
  return {
    request: {
      ...(items.length === 0 ? {} : { variables: items }),
      scripts: [{ type: 'before-request', code: script }],
    },
    ...(notes === '' ? {} : { docs: notes }),
  };
}

function variableItems(variables: Variables): Printable[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}

function exampleOf({ name, status, body }: RequestExample, url: string): Printable {
  const words = STATUS_CODES[status] ?? '';
  return {
    name,
    request: { url, method: 'POST' },
    response: {
      status: Number(status),
      ...(words === '' ? {} : { statusText: words }),
      body: { type: isJson(body) ? 'json' : 'text', data: body },
    },
  };
}

const style = { literal: false, mayKeep: true, quotesDigits: true };

function document(fields: Record<string, Printable>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => printField(name, value, 0, style).lines);
  return `${lines.join('\n')}\n`;
}
