// Writes JSON texts, one a line on standard input, again in each way in which people use JavaScript: "line TAB way TAB base64".
import { readFileSync } from 'node:fs';

/** From a fix of a webhook's verification that many copied: it escapes U+007F, too. */
const copied = (text) => text.replace(/[\u007f-\uffff]/g, (c) => '\\u' + ('0000' + c.charCodeAt(0).toString(16)).slice(-4));
const fromU80 = (text) => text.replace(/[\u0080-\uffff]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
const text = JSON.stringify;
const sorted = (value) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
const filtered = (value) => Object.fromEntries(Object.entries(value).filter(([, one]) => one));

const ways = {
  stringify: (value) => text(value),
  'copied replacement': (value) => copied(text(value)),
  'replacement from U+0080': (value) => fromU80(text(value)),
  'slashes as PHP': (value) => fromU80(text(value)).replace(/\//g, '\\/'),
  'first slash as PHP': (value) => fromU80(text(value)).replace('/', '\\/'),
  'pretty 2': (value) => text(value, null, 2),
  'pretty 4': (value) => text(value, null, 4),
  'pretty tab': (value) => text(value, null, '\t'),
  'pretty with Windows line ends': (value) => text(value, null, 2).replaceAll('\n', '\r\n'),
  sorted: (value) => fromU80(text(sorted(value))),
  'if (value)': (value) => fromU80(text(filtered(value))),
  twice: (value) => text(fromU80(text(value))),
  encodeURIComponent: (value) => encodeURIComponent(fromU80(text(value))),
  URLSearchParams: (value) => new URLSearchParams(value).toString(),
  'values joined': (value) => Object.values(value).join(''),
  'values with commas': (value) => Object.values(value).join(','),
  'as text': (value) => `${value}`,
  'Latin-1 bytes': (value) => Buffer.from(text(value), 'latin1'),
  'ASCII bytes': (value) => Buffer.from(text(value).replace(/[\u0080-\uffff]/g, '?'), 'latin1'),
  'read as Latin-1': (value) => Buffer.from(text(value)).toString('latin1'),
  NFD: (value) => fromU80(text(value).normalize('NFD')),
};

readFileSync(0, 'utf8')
  .split('\n')
  .slice(0, -1)
  .forEach((line, at) => {
    for (const [way, encode] of Object.entries(ways))
      process.stdout.write(`${at}\t${way}\t${Buffer.from(encode(JSON.parse(line))).toString('base64')}\n`);
  });
