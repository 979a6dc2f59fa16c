import { nodeData } from './data-literals.ts';
import { caVariable, doubleQuoted, type Language, type ProgramCall } from './program.ts';

/** A program for Node without any package. */
export const nodeProgram: Language = {
  extension: 'mjs',
  mediaType: 'text/javascript',
  comment: '//',
  head: ({ notes, keyVariable }) => [
    ...notes,
    ...(keyVariable === null ? [] : ["import { createHash } from 'node:crypto';"]),
    "import { readFileSync } from 'node:fs';",
    "import { request } from 'node:https';",
    '',
    `const ca = process.env.${caVariable} ? readFileSync(process.env.${caVariable}) : undefined;`,
    '',
    'function send(url, headers, body) {',
    '  const bytes = Buffer.from(body);',
    "  const options = { method: 'POST', headers: { ...headers, 'content-length': bytes.length }, ca, rejectUnauthorized: true };",
    '  return new Promise((resolve, reject) => {',
    '    const outgoing = request(url, options, async (answer) => {',
    '      try {',
    '        for await (const chunk of answer) process.stdout.write(chunk);',
    "        process.stdout.write('\\n');",
    '        console.error(`HTTP ${answer.statusCode}`);',
    '        resolve();',
    '      } catch (error) {',
    '        reject(error);',
    '      }',
    '    });',
    "    outgoing.on('error', reject);",
    '    outgoing.end(bytes);',
    '  });',
    '}',
    '',
    ...(keyVariable === null ? [] : signingLines(keyVariable)),
  ],
  call: callLines,
};

function signingLines(keyVariable: string): string[] {
  return [
    'function now(timeZone, yearFirst) {',
    "  const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };",
    "  const options = { timeZone, hourCycle: 'h23', year: 'numeric', ...digits };",
    "  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', options);",
    '  const part = Object.fromEntries(format.formatToParts(new Date()).map(({ type, value }) => [type, value]));',
    '  const date = yearFirst ? [part.year, part.month, part.day] : [part.day, part.month, part.year];',
    "  return `${date.join('-')} ${part.hour}:${part.minute}:${part.second}`;",
    '}',
    '',
    `const key = process.env.${keyVariable};`,
    'if (!key) {',
    `  console.error('Set ${keyVariable} to the private key of the environment.');`,
    '  process.exit(1);',
    '}',
    '',
  ];
}

function callLines({ url, headers, body }: ProgramCall, several: boolean): string[] {
  const list = headers.map(([name, value]) => `${doubleQuoted(name)}: ${doubleQuoted(value)}`).join(', ');
  const send = (text: string) => `await send(${doubleQuoted(url.href)}, { ${list} }, ${text});`;
  if (typeof body === 'string') return [send(doubleQuoted(body))];
  const pieces = body.parts.map((part) => (part.kind === 'text' ? doubleQuoted(part.text) : part.kind));
  const lines = [
    `const time = now(${doubleQuoted(body.timeZone)}, ${body.timeOrder === 'ymd'});`,
    // As a developer would, where Node then makes the bytes that were sent.
    ...`const data = ${(body.data === null ? null : nodeData(body.data, doubleQuoted)) ?? doubleQuoted(body.data ?? '')};`.split(
      '\n',
    ),
    "const hash = createHash('sha256').update(key + time + data, 'utf8').digest('hex');",
    send(pieces.join(' + ')),
  ];
  return several ? ['{', ...lines.map((line) => `  ${line}`), '}'] : lines;
}
