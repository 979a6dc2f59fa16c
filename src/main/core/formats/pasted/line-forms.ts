import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { parseJson } from '#shared/json/parse.ts';
import { memberOf } from '#shared/json/values.ts';
import type { Below } from './segments.ts';
import type { Work } from './work.ts';

/**
 * Returns the texts below a form that takes whole lines: logs of containers, which split long lines, dumps of bytes, and cURL's traces. Null
 * for another text.
 */
export function readLineForm(text: string, work: Work): Below[] | null {
  work.spend(text.length);
  const isTrace = /^(?:=>|<=) (?:Send|Recv) (?:data|header)/m.test(text);
  if (isTrace) return readTrace(text, work);
  const [first = ''] = text.trimStart().split('\n', 1);
  if (criLine.test(first)) return readKubernetes(text, work);
  if (first.startsWith('{"log":"')) return readDocker(text, work);
  if (dumpLine.test(first)) return readDump(text, work);
  return null;
}

function linesOf(text: string, work: Work): string[] {
  work.spend(2 * text.length);
  return text.split(/\r?\n/);
}

const criLine = /^\S{10,60} (?:stdout|stderr) ([PF]) (.*)$/s;

/** The container runtime interface splits a line into parts with P, up to one with F. */
function readKubernetes(text: string, work: Work): Below[] {
  const joined = linesOf(text, work).map((line) => {
    const [, mark, content] = criLine.exec(line) ?? [];
    return mark === undefined ? `${line}\n` : mark === 'P' ? content : `${content}\n`;
  });
  return [{ text: joined.join(''), layer: 'Kubernetes log', fidelity: 'exact' }];
}

/** Docker's json-file splits a line at 16 KB: a part without a line feed goes on in the next. */
function readDocker(text: string, work: Work): Below[] | null {
  let joined = '';
  for (const line of linesOf(text, work)) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    const log = parsed.ok && parsed.root.kind === 'object' ? memberOf(parsed.root, 'log') : undefined;
    if (log?.kind !== 'string') return null;
    joined += log.value;
  }
  return [{ text: joined, layer: 'Docker log', fidelity: 'exact' }];
}

const dumpLine = /^\s{0,8}(?:0x)?[0-9a-fA-F]{4,8}:?[ \t]{1,3}[0-9a-fA-F]{2}(?:[ \t]?[0-9a-fA-F]{2}){0,15}(?:[ \t]|$)/;
const offset = /^\s{0,8}(?:0x)?[0-9a-fA-F]{4,8}:?[ \t]{1,3}/;
const pair = /[ \t]{0,2}([0-9a-fA-F]{2})(?![0-9a-fA-F]{3})/y;

/** Reads the bytes of a dump by xxd, hexdump -C, tcpdump -X or curl --trace: sixteen in a line, with their characters beside them. */
function bytesOf(line: string): number[] {
  const start = offset.exec(line)?.[0].length;
  const bytes: number[] = [];
  if (start === undefined) return bytes;
  pair.lastIndex = start;
  for (let at = start; bytes.length < 16; at = pair.lastIndex) {
    pair.lastIndex = at;
    const digits = pair.exec(line)?.[1];
    if (digits === undefined) break;
    bytes.push(Number.parseInt(digits, 16));
  }
  return bytes;
}

function readDump(text: string, work: Work): Below[] {
  const bytes = linesOf(text, work).flatMap(bytesOf);
  return [{ text: decodeUtf8Leniently(Uint8Array.from(bytes)).text, layer: 'hex dump', fidelity: 'exact' }];
}

/** Reads `--trace` exactly; `--trace-ascii` shows a dot for each byte that is not printable ASCII. */
function readTrace(text: string, work: Work): Below[] {
  const below: Below[] = [];
  let lines: string[] = [];
  let isData = false;
  function finish(): void {
    if (lines.length === 0) return;
    const isHex = lines.every((line) => dumpLine.test(line));
    const content = isHex
      ? decodeUtf8Leniently(Uint8Array.from(lines.flatMap(bytesOf))).text
      : lines.map((line) => line.replace(/^[0-9a-f]{4,8}: /, '')).join('');
    below.push({ text: content, layer: 'curl trace', fidelity: isHex ? 'exact' : 'lossy' });
    lines = [];
  }
  for (const line of linesOf(text, work)) {
    if (/^[0-9a-f]{4,8}: /.test(line)) {
      if (isData) lines.push(line);
      continue;
    }
    // Data may come in several parts, each with its own head.
    const next = /^(?:=>|<=) (Send|Recv) data/.exec(line)?.[1];
    finish();
    isData = next !== undefined;
  }
  finish();
  return below;
}
