import { inPieces } from '#shared/json/text-pieces.ts';
import { caVariable, unprintable, type Language, type ProgramCall, type SigningBody } from './program.ts';

/** A POSIX shell script with curl; for signing it hashes with sha256sum or openssl. */
export const curlScript: Language = {
  extension: 'sh',
  mediaType: 'application/x-sh',
  comment: '#',
  head: ({ notes, keyVariable }) => [
    '#!/bin/sh',
    ...notes,
    'set -eu',
    '',
    '# send URL [CURL OPTION]...: reads the body from standard input.',
    'send() {',
    `  curl --silent --show-error --globoff --header 'Expect:' \${${caVariable}:+--cacert "$${caVariable}"} \\`,
    `    --data-binary @- --write-out '\\n%{stderr}HTTP %{http_code}\\n' --url "$@"`,
    '}',
    '',
    ...(keyVariable === null ? [] : signingFunctions(keyVariable)),
  ],
  call: callLines,
};

function signingFunctions(keyVariable: string): string[] {
  return [
    `private_key=\${${keyVariable}:?Set it to the private key of the environment.}`,
    '# curl must not see it.',
    `unset ${keyVariable}`,
    'case $(command -v printf) in',
    '  */*)',
    '    echo "This shell has no built-in printf, so the key would show in the process list. Use dash, bash or busybox sh." >&2',
    '    exit 1',
    '    ;;',
    'esac',
    '',
    'sha256() {',
    '  if command -v sha256sum > /dev/null; then sha256sum; else openssl dgst -sha256 -r; fi | cut -d " " -f 1',
    '}',
    '',
    '# now ZONE FORMAT: without zone data, date silently uses UTC.',
    'now() {',
    '  case $1 in',
    '    */*) [ -e "${TZDIR:-/usr/share/zoneinfo}/$1" ] || echo "The zone data of $1 is not installed; the time may be in UTC." >&2 ;;',
    '  esac',
    '  TZ=$1 date "+$2"',
    '}',
    '',
  ];
}

function callLines({ url, headers, body }: ProgramCall): string[] {
  const options = headers.map(([name, value]) => `  --header ${quoted(`${name}: ${value}`)}`);
  const send = [`send ${quoted(url.href)}`, ...options].join(' \\\n');
  if (typeof body === 'string') return [`${printed(body)} | ${send}`];
  return [...signing(body), `body | ${send}`];
}

function signing({ parts, data, timeZone, timeOrder }: SigningBody): string[] {
  const pieces = parts.map((part) => {
    if (part.kind === 'text') return printed(part.text);
    return part.kind === 'data' ? 'data' : `printf '%s' "$${part.kind}"`;
  });
  return [
    `time=$(now ${quoted(timeZone)} ${quoted(timeOrder === 'dmy' ? '%d-%m-%Y %H:%M:%S' : '%Y-%m-%d %H:%M:%S')})`,
    `data() { ${data === null ? ':' : printed(data)}; }`,
    `hash=$({ printf '%s' "$private_key$time"; data; } | sha256)`,
    '[ ${#hash} -eq 64 ] || { echo "Neither sha256sum nor openssl made a hash." >&2; exit 1; }',
    `body() { ${pieces.join('; ')}; }`,
  ];
}

/** A command that prints the very bytes. No argument of another program, which may not be longer than 128 kB. */
function printed(text: string): string {
  if (text.search(unprintable) === -1) return `printf '%s' ${quoted(text)}`;
  const octal = (character: string) =>
    Array.from(Buffer.from(character, 'utf8'), (byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
  return `printf '%b' ${quoted(inPieces(text, (piece) => piece.replaceAll('\\', '\\\\').replace(unprintable, octal)))}`;
}

function quoted(text: string): string {
  return `'${inPieces(text, (piece) => piece.replaceAll("'", "'\\''"))}'`;
}
