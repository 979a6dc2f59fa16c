import { encodeUtf8 } from '#shared/json/utf8.ts';
import type { Mistake, Part, Subject } from './model.ts';

/** A place in the hash input: key, time, data, action, platform, partnerId, or a literal text. */
export type Token = 'k' | 't' | 'd' | 'a' | 'p' | 'n' | { readonly text: string };

/** An order of the parts, with what stands between them. */
export interface Composition {
  /** Null for the rule: key, time, data. */
  readonly mistake: Mistake | null;
  readonly tokens: readonly Token[];
}

const names: Readonly<Record<string, string>> = {
  k: 'key',
  t: 'time',
  d: 'data',
  a: 'action',
  p: 'platform',
  n: 'partnerId',
};

export const ruleComposition: Composition = { mistake: null, tokens: ['k', 't', 'd'] };

function composition(name: string, rarity: Mistake['rarity'], says: string, tokens: readonly Token[], who = ''): Composition {
  return { mistake: { id: `composition.${name}`, axis: 'composition', rarity, says, who, languages: [] }, tokens };
}

const letters = (order: string) => Array.from(order) as Token[];
const inOrder = (order: string) => Array.from(order, (letter) => names[letter]).join(', ');

const orders = ['kdt', 'tdk', 'tkd', 'dkt', 'dtk'].map((order) =>
  composition(
    order,
    order === 'kdt' || order === 'tdk' ? 2 : 3,
    `Your backend joins the parts in the order ${inOrder(order)}.`,
    letters(order),
  ),
);
/** Of the rule's order, data ends with it. */
const ended = ['kdt', 'tdk', 'tkd', 'dkt', 'dtk'].map((order) =>
  composition(`${order}:end`, 4, `Your backend joins the parts in the order ${inOrder(order)}, with a line break at the end.`, [
    ...letters(order),
    { text: '\n' },
  ]),
);
const doubled = ['ktdk', 'kktd', 'kttd', 'ktdd', 'kdtk', 'ktkd'].map((order) =>
  composition(order, 4, `Your backend joins ${inOrder(order)}: one part twice.`, letters(order)),
);
const missing = (
  [
    ['kd', 'Your backend leaves time out of the hash.'],
    ['td', 'Your backend leaves the private key out of the hash.'],
    ['kt', 'Your backend leaves data out of the hash.'],
    ['k', 'Your backend hashes only the key.'],
    ['t', 'Your backend hashes only the time.'],
    ['d', 'Your backend hashes only data.'],
    ['dt', 'Your backend hashes data and time, without the private key.'],
    ['dk', 'Your backend hashes data and key, without time.'],
  ] as const
).map(([order, says]) => composition(order, order.length === 2 ? 2 : 4, says, letters(order)));
const extra = [
  'akntd',
  'katd',
  'aktd',
  'ktad',
  'ktda',
  'kpntd',
  'knptd',
  'kptd',
  'kntd',
  'ktdn',
  'ktdpn',
  'ktpnd',
  'pnktd',
  'nktd',
  'pktd',
  'kapntd',
  'kantd',
  'apntdk',
  'pntdk',
  'tdnk',
].map((order) => composition(order, 4, `Your backend joins ${inOrder(order)}: more than key, time and data.`, letters(order)));

const marks: readonly (readonly [string, string])[] = [
  ['|', '|'],
  [':', 'a colon'],
  ['.', 'a dot'],
  [',', 'a comma'],
  ['&', '&'],
  [';', 'a semicolon'],
  [' ', 'a space'],
  ['\n', 'a line break'],
  ['-', '-'],
  ['_', '_'],
  ['+', '+'],
  ['#', '#'],
  ['/', '/'],
  ['\r\n', 'a Windows line break'],
  ['\t', 'a tab'],
  ['||', '||'],
  ['::', '::'],
  [', ', 'a comma and a space'],
];
const between = (order: string, mark: string) =>
  letters(order).flatMap((token, at): Token[] => (at === 0 ? [token] : [{ text: mark }, token]));
const separated = marks.flatMap(([mark, words]) =>
  ['ktd', 'tdk', 'kdt', 'dtk', 'tkd'].map((order) =>
    composition(
      `${order}:${mark}`,
      order === 'ktd' ? 3 : 4,
      `Your backend puts ${words} between the parts${order === 'ktd' ? '' : `, in the order ${inOrder(order)}`}.`,
      between(order, mark),
      mark === ',' ? 'JavaScript joins an array into a string with commas.' : '',
    ),
  ),
);
const one: readonly Composition[] = marks.flatMap(([mark, words]) => [
  composition(`k${mark}td`, mark === '\n' ? 2 : 4, `Your backend puts ${words} after the key.`, ['k', { text: mark }, 't', 'd']),
  composition(`kt${mark}d`, 4, `Your backend puts ${words} between time and data.`, ['k', 't', { text: mark }, 'd']),
]);
const named = [
  composition('query', 3, 'Your backend hashes key=…&time=…&data=….', [
    { text: 'key=' },
    'k',
    { text: '&time=' },
    't',
    { text: '&data=' },
    'd',
  ]),
  composition('query-key-last', 3, 'Your backend hashes time=…&data=…&key=….', [
    { text: 'time=' },
    't',
    { text: '&data=' },
    'd',
    { text: '&key=' },
    'k',
  ]),
  composition('query-key-bare', 4, 'Your backend hashes time=…&data=… followed by the key.', [
    { text: 'time=' },
    't',
    { text: '&data=' },
    'd',
    'k',
  ]),
  composition('data-first', 4, 'Your backend hashes data=…&time=… followed by the key.', [
    { text: 'data=' },
    'd',
    { text: '&time=' },
    't',
    'k',
  ]),
];

export const compositions: readonly Composition[] = [
  ...orders,
  ...ended,
  ...missing,
  ...separated,
  ...one,
  ...doubled,
  ...extra,
  ...named,
];

/** Joins the parts; `withKey`: false leaves the key out, as an HMAC does. */
export function compose(
  { tokens }: Composition,
  parts: { readonly key: Part; readonly time: string; readonly data: Part },
  subject: Subject,
  withKey = true,
): Part {
  let whole: Part = '';
  for (const token of tokens) {
    const piece = token === 'k' && !withKey ? '' : pieceOf(token, parts, subject);
    whole = typeof whole === 'string' && typeof piece === 'string' ? whole + piece : joinBytes(whole, piece);
  }
  return whole;
}

function pieceOf(
  token: Token,
  { key, time, data }: { readonly key: Part; readonly time: string; readonly data: Part },
  { action, platform, partnerId }: Subject,
): Part {
  if (typeof token !== 'string') return token.text;
  switch (token) {
    case 'k':
      return key;
    case 't':
      return time;
    case 'd':
      return data;
    case 'a':
      return action;
    case 'p':
      return platform;
    case 'n':
      return partnerId;
  }
}

/** Returns the tokens for a person, with the key's placeholder. */
export function shownParts({ tokens }: Composition, time: string, data: string, subject: Subject): string {
  return compose({ mistake: null, tokens }, { key: '<PRIVATE_KEY>', time, data }, subject) as string;
}

function joinBytes(...pieces: readonly Part[]): Uint8Array {
  const all = pieces.map((piece) => (typeof piece === 'string' ? encodeUtf8(piece) : piece));
  const bytes = new Uint8Array(all.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of all) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
