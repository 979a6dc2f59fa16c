import type { Overrides } from '#shared/model/draft.ts';
import type { Environment, RequestDraft } from '#shared/ipc/index.ts';
import { operations, templateText, type Operation } from '#shared/provider/index.ts';
import { createJsonGenerator } from './random-json.ts';

/** A request to send, of an operation and form that come in turn; the program decides whether it can be prepared. */
export interface GeneratedRequest {
  readonly operation: Operation;
  readonly draft: Omit<RequestDraft, 'environmentId'>;
}

const texts = [
  'Zoë',
  'ü/\\u00EB',
  '中\\u4E2D\\/',
  '😀',
  '\\ud83d\\ude00',
  '\u2028 \u202e',
  'plain',
  'a\\"b é',
  '\u00a0\u200b',
  '\\u0041Ж',
];
const times = ['20-11-2026 10:15:30', '2026-11-20 10:15:30', 'noon "ü"', '', 'a\\b'];
const numbers = ['7', '"7"', '1e400', 'null', '{"é":1}'];

/**
 * Creates a generator of requests of all operations and their forms in turn: templates, templates with awkward text, random JSON,
 * damaged texts and blank ones, half of them with overrides. `at` counts from 0.
 */
export function createRequestGenerator(random: () => number) {
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(options: readonly T[]): T => options[below(options.length)] as T;
  const json = createJsonGenerator(random);
  const forms = operations.flatMap((operation) => operation.forms.map((form) => ({ operation, form: form.id })));

  function text(operation: Operation, form: string, { defaults, timeZone }: Environment): string {
    const template = () => templateText(operation, form, defaults, { now: Date.now(), timeZone });
    const member = () => `"${pick(texts)}":"${pick(texts)}"`;
    switch (below(8)) {
      case 0:
        return template();
      case 1:
        return json.text();
      case 2: {
        const bytes = json.bytes().toString('utf8');
        return bytes.includes('{{') ? '{}' : bytes;
      }
      case 3:
        return pick(['', ' \n', '{}', '[]', '{"amount": 1.10, "amount":1.20}', '{"a":{"ë":1.0},"b":["x",{"c":"ü"}]}']);
      case 4:
        return `{ ${member()}, "list" : [ ${json.number()} , "${pick(texts)}"],\r\n\t${member()} }`;
      default:
        // After the template's own fields, which the provider requires.
        return template().replace(/\n?\}$/, (end) => `${template() === '{}' ? '' : ','}${member()}${end}`);
    }
  }

  // In turn, so that each form meets each of them.
  function overrides(at: number): Overrides {
    switch (at % 12) {
      case 0:
        return { hash: 'wrong' };
      case 1:
        return { hash: pick(['', 'né"x', '0'.repeat(64)]) };
      case 2:
        return { time: pick(times) };
      case 3:
        return { omit: [pick(['action', 'platform', 'partnerId', 'time', 'data', 'hash'] as const)] };
      case 4:
        return { platform: pick(numbers), hash: 'wrong', time: pick(times) };
      case 5:
        return { partnerId: pick(numbers), omit: ['time', 'data'] };
      default:
        return {};
    }
  }

  return (at: number, environment: Environment): GeneratedRequest => {
    const { operation, form } = forms[at % forms.length] as (typeof forms)[number];
    return {
      operation,
      draft: { operation: operation.name, form, text: text(operation, form, environment), overrides: overrides(at) },
    };
  };
}
