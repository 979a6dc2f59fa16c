// Reads an envelope and prints how Node shows it in logs and dumps: a line for each form, its name and its text in base64.
import { readFileSync } from 'node:fs';
import { format, inspect } from 'node:util';

const body = readFileSync(0, 'utf8');
const value = JSON.parse(body);
class Envelope {
  constructor(fields) {
    Object.assign(this, fields);
  }
}

const forms = {
  'util.inspect': inspect(value),
  'util.inspect of a class': inspect(new Envelope(value), { depth: 4 }),
  'util.inspect in one line': inspect(value, { breakLength: Infinity }),
  'console.log of nested objects': format('request %s', inspect({ options: { json: value } })),
  'console.log of the text': format({ method: 'POST', body }),
  'console.log with a label': format('body:', body),
  'JSON.stringify of a record': JSON.stringify({
    level: 50,
    time: 1_795_344_002_118,
    pid: 7,
    hostname: 'a',
    body,
    msg: 'refused',
  }),
  'JSON.stringify of objects': JSON.stringify({
    level: 50,
    time: 1_795_344_002_118,
    pid: 7,
    hostname: 'a',
    body: value,
    msg: 'refused',
  }),
  'JSON.stringify twice': JSON.stringify({
    log: JSON.stringify({ level: 30, msg: body, pid: 1 }),
    stream: 'stdout',
    time: '2026-11-22T10:40:02Z',
  }),
  'JSON.stringify pretty': JSON.stringify({ request: { body } }, null, 2),
  encodeURIComponent: `https://log.example/?q=${encodeURIComponent(body)}`,
  'encodeURIComponent twice': `https://log.example/?q=${encodeURIComponent(encodeURIComponent(body))}`,
  'Buffer as hexadecimal digits': Buffer.from(body).toString('hex'),
  'bytes of a journal': JSON.stringify({ PRIORITY: '6', MESSAGE: [...Buffer.from(`sent ${body}`)], _PID: '1' }),
};
const lines = Object.entries(forms).map(([name, text]) => `${name}\t${Buffer.from(text).toString('base64')}\n`);
process.stdout.write(lines.join(''));
