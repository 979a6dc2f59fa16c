import { Buffer, isUtf8 } from 'node:buffer';
import type { Finding } from '#shared/ipc/index.ts';
import { kindOfFile, textOfFile } from '#shared/json/file-text.ts';
import { counted } from '#shared/provider/findings.ts';

/** A body as JSON in UTF-8, as far as it can be made that, and what had to be done for it. */
export interface ReadableBody {
  /** The same buffer if nothing was done. */
  readonly body: Buffer;
  /** They may hold text of the server. */
  readonly findings: readonly Finding[];
}

const [openBrace, openBracket, closeBrace, closeBracket] = [0x7b, 0x5b, 0x7d, 0x5d];
/** Characters in which what PHP printed is looked for, at either end. */
const longestNoise = 65_536;

/**
 * Removes from a body what keeps JSON from being read and is not JSON: a byte order mark, an encoding other than UTF-8, and what PHP
 * printed before or behind it (RFC 8259, 8.1). A body that is JSON in UTF-8 costs a look at its ends.
 */
export function readableBody(body: Buffer, contentType: string | null): ReadableBody {
  if (body.length === 0) return { body, findings: [] };
  const decoded = inUtf8(body, contentType);
  const clean = withoutPhp(decoded.body);
  return { body: clean.body, findings: [...decoded.findings, ...clean.findings] };
}

function warning(rule: string, message: string): Finding {
  return { rule, severity: 'warning', path: '', message };
}

function inUtf8(body: Buffer, contentType: string | null): ReadableBody {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    const message =
      "The response starts with a byte order mark, which JSON can't have (RFC 8259, 8.1). Croupier read what follows.";
    return { body: body.subarray(3), findings: [warning('answer.bom', message)] };
  }
  try {
    const decoded = wideText(body) ?? declaredText(body, contentType);
    if (decoded === null) return { body, findings: [] };
    const message = `The response is in ${decoded.encoding}; JSON is UTF-8 (RFC 8259, 8.1). Croupier decoded it.`;
    return { body: Buffer.from(decoded.text), findings: [warning('answer.charset', message)] };
  } catch {
    // No encoding, or not its bytes: the check of the response says that it is not UTF-8.
    return { body, findings: [] };
  }
}

interface Decoded {
  readonly encoding: string;
  readonly text: string;
}

/** Reads bytes whose beginning shows a unit of two or four bytes. */
function wideText(body: Buffer): Decoded | null {
  if (isNested(body[0], openBrace, openBracket) && body[1] !== 0) return null;
  const kind = kindOfFile(body);
  return 'unit' in kind && kind.unit > 1 ? { encoding: kind.is, text: textOfFile(body, 'body').text } : null;
}

/** Reads bytes that are not UTF-8 by their header. */
function declaredText(body: Buffer, contentType: string | null): Decoded | null {
  if (isUtf8(body)) return null;
  const declared = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  if (declared === undefined) return null;
  return { encoding: declared.toUpperCase(), text: new TextDecoder(declared, { fatal: true }).decode(body) };
}

const levels = 'Warning|Notice|Deprecated|Strict Standards|Fatal error|Parse error|Recoverable fatal error|Catchable fatal error';
/** A message of PHP as it prints one, in HTML or as text: its level, file and line. */
const inHtml = new RegExp(
  `^\\s*(?:<br ?/?>\\s*)?<b>(${levels})</b>:\\s[^]*? in <b>([^<\\n]+)</b> on line <b>(\\d+)</b>(?:<br ?/?>)?\\s*`,
);
const asText = new RegExp(
  `^\\s*(?:PHP )?(${levels}):\\s[^]*? in (\\S[^\\n]*?) on line (\\d+)\\s*(?=[\\n{[]|$|<br|PHP |${levels})`,
);
/** Levels that are no noun. */
const spoken: Readonly<Record<string, string>> = { deprecated: 'deprecation', 'strict standards': 'strict standards notice' };
const begins = new RegExp(`\\n?(?:<br ?/?>\\s*)?<b>(?:${levels})</b>:|\\n(?:PHP )?(?:${levels}):`);

interface Noise {
  readonly level: string;
  readonly file: string;
  readonly line: string;
  readonly count: number;
  /** Number of characters. */
  readonly length: number;
}

function noiseAt(text: string): Noise | null {
  let rest = text;
  let first: RegExpExecArray | null = null;
  let count = 0;
  for (; count < 100; count += 1) {
    const found = inHtml.exec(rest) ?? asText.exec(rest);
    if (found === null) break;
    first ??= found;
    rest = rest.slice(found[0].length);
  }
  const [, level = '', file = '', line = ''] = first ?? [];
  return first === null ? null : { level: level.toLowerCase(), file, line, count, length: text.length - rest.length };
}

function withoutPhp(body: Buffer): ReadableBody {
  const asIs = { body, findings: [] };
  if (isNested(body[0], openBrace, openBracket)) {
    if (isNested(lastByte(body), closeBrace, closeBracket)) return asIs;
    const from = Math.max(0, body.length - longestNoise);
    const text = body.toString('utf8', from);
    const at = begins.exec(text)?.index ?? -1;
    const noise = at === -1 ? null : noiseAt(text.slice(at));
    if (noise === null || at + noise.length < text.length) return asIs;
    const kept = body.subarray(0, from + Buffer.byteLength(text.slice(0, at)));
    return { body: kept, findings: [warning('answer.php', `${said(noise, 'after')} Croupier read the JSON before it.`)] };
  }
  const text = body.toString('utf8', 0, longestNoise);
  const noise = noiseAt(text);
  if (noise === null) return asIs;
  const rest = body.subarray(Buffer.byteLength(text.slice(0, noise.length)));
  if (isNested(rest[0], openBrace, openBracket)) {
    return { body: rest, findings: [warning('answer.php', `${said(noise, 'before')} Croupier read the JSON after it.`)] };
  }
  return { body, findings: [{ ...warning('answer.php', said(noise, 'instead of')), severity: 'error' }] };
}

function said({ level, file, line, count }: Noise, where: 'before' | 'after' | 'instead of'): string {
  const more = count === 1 ? '' : ` and ${counted(count - 1)} more`;
  return `PHP printed a ${spoken[level] ?? level}${more} ${where} the response, in ${file} on line ${line}.`;
}

function isNested(byte: number | undefined, brace: number, bracket: number): boolean {
  return byte === brace || byte === bracket;
}

/** The last byte that is not white space. */
function lastByte(body: Buffer): number | undefined {
  let at = body.length - 1;
  while (at > 0 && (body[at] ?? 0) <= 0x20) at--;
  return body[at];
}
