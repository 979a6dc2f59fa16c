import { caVariable, doubleQuoted, type Language, type ProgramCall } from './program.ts';

/** A program for Python 3.9 or later without any package. */
export const pythonProgram: Language = {
  extension: 'py',
  mediaType: 'text/x-python',
  comment: '#',
  head: ({ notes, keyVariable }) => [
    '#!/usr/bin/env python3',
    ...notes,
    ...(keyVariable === null ? [] : ['import datetime', 'import hashlib']),
    'import http.client',
    'import os',
    'import ssl',
    'import sys',
    'import urllib.parse',
    ...(keyVariable === null ? [] : ['import zoneinfo']),
    '',
    '',
    'def send(url, headers, body):',
    '    address = urllib.parse.urlsplit(url)',
    `    context = ssl.create_default_context(cafile=os.environ.get("${caVariable}") or None)`,
    '    connection = http.client.HTTPSConnection(address.hostname, address.port, timeout=60, context=context)',
    '    path = urllib.parse.urlunsplit(("", "", address.path or "/", address.query, ""))',
    '    connection.request("POST", path, body, headers)',
    '    answer = connection.getresponse()',
    '    sys.stdout.buffer.write(answer.read() + b"\\n")',
    '    sys.stdout.buffer.flush()',
    '    print("HTTP", answer.status, file=sys.stderr)',
    '',
    '',
    ...(keyVariable === null
      ? []
      : [
          'def now(zone, form):',
          '    return datetime.datetime.now(zoneinfo.ZoneInfo(zone)).strftime(form)',
          '',
          '',
          `key = os.fsencode(os.environ.get("${keyVariable}", ""))`,
          'if not key:',
          `    sys.exit("Set ${keyVariable} to the private key of the environment.")`,
          '',
        ]),
  ],
  call: callLines,
};

function callLines({ url, headers, body }: ProgramCall): string[] {
  const list = headers.map(([name, value]) => `${doubleQuoted(name)}: ${doubleQuoted(value)}`).join(', ');
  const send = (text: string) => `send(${doubleQuoted(url.href)}, {${list}}, ${text})`;
  if (typeof body === 'string') return [send(`${doubleQuoted(body)}.encode()`)];
  const pieces = body.parts.map((part) => (part.kind === 'text' ? doubleQuoted(part.text) : part.kind));
  return [
    `time = now(${doubleQuoted(body.timeZone)}, ${body.timeOrder === 'dmy' ? '"%d-%m-%Y %H:%M:%S"' : '"%Y-%m-%d %H:%M:%S"'})`,
    `data = ${doubleQuoted(body.data ?? '')}`,
    'hash = hashlib.sha256(key + time.encode() + data.encode()).hexdigest()',
    send(`(${pieces.join(' + ')}).encode()`),
  ];
}
