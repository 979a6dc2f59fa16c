import { AppError } from '../errors.ts';
import { createPlaceCounter } from './line-and-column.ts';
import { decodeUtf8Leniently, encodeUtf8 } from './utf8.ts';

/** A form of text that Croupier reads: how many bytes a unit has, and whether its lowest byte comes first. */
interface TextKind {
  readonly is: string;
  readonly first: RegExp;
  readonly unit: 1 | 2 | 4;
  readonly little?: true;
}

/** A kind of file that holds no text, with what to do instead. */
interface OtherKind {
  readonly is: string;
  readonly first: RegExp;
  readonly cure: string;
}

export type FileKind = TextKind | OtherKind;

/** Returns a pattern of the first bytes, each as the character of its number. */
const begins = ({ raw }: TemplateStringsArray) => new RegExp(`^(?:${raw.join('')})`, 's');
/** The same of a DER sequence that is longer than 127 bytes, as no text in UTF-8 begins: of what is in it. */
const der = ({ raw }: TemplateStringsArray) => new RegExp(String.raw`^\x30(?:\x80|\x81.|\x82..|\x83.{3})${raw.join('')}`, 's');
const unpack = 'Unpack it and use the file inside.';
const otherFile = 'Choose a text file.';

const derCertificate: OtherKind = {
  is: 'a certificate in binary form (DER)',
  first: der`\x30`,
  cure: otherFile,
};

const pkcs7: OtherKind = {
  is: 'a PKCS#7 file (.p7b)',
  first: der`\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02`,
  cure: otherFile,
};

/** Binary files of certificates, each with the label of its PEM. */
const certificates = new Map<FileKind, string>([
  [derCertificate, 'CERTIFICATE'],
  [pkcs7, 'PKCS7'],
]);

/**
 * Kinds of files by their first bytes, the first that fits. Without a byte order mark, the zeros beside the first two characters show the width
 * of a unit (RFC 4627, section 3): every text that Croupier reads begins in ASCII.
 */
const kinds: readonly FileKind[] = [
  { is: 'UTF-32 LE', first: begins`\xff\xfe\0\0|[^\0]\0\0\0`, unit: 4, little: true },
  { is: 'UTF-32 BE', first: begins`\0\0(?:\xfe\xff|\0[^\0])`, unit: 4 },
  { is: 'UTF-16 LE', first: begins`\xff\xfe|[^\0]\0[^\0]\0`, unit: 2, little: true },
  { is: 'UTF-16 BE', first: begins`\xfe\xff|\0[^\0]\0[^\0]`, unit: 2 },
  {
    is: 'an Excel, Word or OpenDocument file',
    first: begins`PK\x03\x04.{26}(?:\[Content_Types\]|_rels/|docProps/|xl/|word/|mimetypeapplication/vnd\.)|\xd0\xcf\x11\xe0`,
    cure: 'Save it as CSV UTF-8 or as plain text first.',
  },
  { is: 'a ZIP archive', first: begins`PK(?:\x03\x04|\x05\x06)`, cure: unpack },
  { is: 'compressed with gzip', first: begins`\x1f\x8b`, cure: 'Unpack it with gunzip first.' },
  {
    is: 'a compressed archive',
    first: begins`BZh[1-9]1AY&SY|\xfd7zXZ\0|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x28\xb5\x2f\xfd`,
    cure: unpack,
  },
  { is: 'a picture', first: begins`\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP`, cure: 'Use the text itself.' },
  { is: 'a PDF', first: begins`%PDF-`, cure: 'Use the text itself.' },
  derCertificate,
  {
    is: 'a PKCS#12 file (.p12, .pfx), which may hold a private key',
    first: der`\x02\x01\x03`,
    cure: 'Export only the certificate: openssl pkcs12 -in FILE -nokeys -out ca.pem',
  },
  pkcs7,
  { is: 'a private key in binary form (DER)', first: der`\x02\x01[\x00\x01]`, cure: 'Leave it where it is.' },
  {
    is: 'a Java keystore',
    first: begins`\xfe\xed\xfe\xed|\xce\xce\xce\xce`,
    cure: 'Export only the certificate: keytool -exportcert -rfc -keystore FILE -alias NAME -file ca.pem',
  },
];
const utf8: TextKind = { is: 'UTF-8', first: begins``, unit: 1 };
const mark = '\uFEFF';

/** Bytes that say the kind of a file. */
const firstBytes = 64;

/** Returns the kind of a file by its first bytes: UTF-8 if they show no other. */
export function kindOfFile(bytes: Uint8Array): FileKind {
  const first = String.fromCharCode(...bytes.subarray(0, firstBytes));
  return kinds.find((kind) => kind.first.test(first)) ?? utf8;
}

/** Says of which kind a file is: `data.json is in UTF-16 LE.` */
export function kindWords(name: string, kind: FileKind): string {
  return `${name} is ${'cure' in kind ? '' : 'in '}${kind.is}.`;
}

/** Says that a file is of a kind that is not read there, and what to do. */
export function otherKind(name: string, kind: FileKind): AppError {
  return new AppError('invalid_input', `${kindWords(name, kind)} ${'cure' in kind ? kind.cure : 'Save it as UTF-8.'}`);
}

/** The text of a file without a byte order mark. */
export interface FileText {
  readonly text: string;
  /** Words for a text that is not plain UTF-8, as the rest of a sentence; null for plain UTF-8. */
  readonly oddity: string | null;
}

/** Reads a file of any form of Unicode. Fails with `invalid_input`, and names the line and column of a byte that is out of place. */
export function textOfFile(bytes: Uint8Array, name: string): FileText {
  const kind = textKind(bytes, name);
  const { text, broken } = kind.unit === 1 ? fromUtf8(bytes) : fromUnits(bytes, kind);
  if (broken !== null) {
    const from = text.startsWith(mark) ? 1 : 0;
    const { line, column } = createPlaceCounter(text.slice(from))(broken - from);
    throw new AppError('invalid_input', `${name} isn't valid ${kind.is} at line ${line}, column ${column}. Save it as UTF-8.`);
  }
  const marked = text.startsWith(mark);
  const oddity = kind.unit > 1 ? `was read as ${kind.is}` : marked ? 'was read without its byte order mark' : null;
  return { text: marked ? text.slice(1) : text, oddity };
}

/** Reads a file with certificates as PEM, also one in binary form; `base64` encodes bytes. Fails as `textOfFile` does. */
export function pemOfFile(bytes: Uint8Array, name: string, base64: (bytes: Uint8Array) => string): FileText {
  const kind = kindOfFile(bytes);
  const label = certificates.get(kind);
  return label === undefined
    ? textOfFile(bytes, name)
    : { text: pemOfBase64(base64(bytes), label), oddity: `was read as ${kind.is}` };
}

/** Returns bytes in base64 as PEM with a label. */
export function pemOfBase64(base64: string, label: string): string {
  return [`-----BEGIN ${label}-----`, ...(base64.match(/.{1,64}/g) ?? []), `-----END ${label}-----`, ''].join('\n');
}

/** Yields a stream of any form of Unicode as UTF-8 without a byte order mark; UTF-8 is passed on unchecked. Fails with `invalid_input`. */
export async function* asUtf8(parts: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
  let kind: TextKind | null = null;
  let rest: Uint8Array = new Uint8Array();
  function take(isLast: boolean): Uint8Array {
    const isFirst = kind === null;
    const { unit, ...known } = (kind ??= textKind(rest, name));
    const end = isLast || unit === 1 ? rest.length : wholeLength(rest, kind);
    const whole = rest.subarray(0, end);
    rest = rest.subarray(end);
    if (unit === 1) return isFirst && startsWithMark(whole) ? whole.subarray(3) : whole;
    const { text, broken } = fromUnits(whole, kind);
    if (broken !== null) throw new AppError('invalid_input', `${name} isn't valid ${known.is}. Save it as UTF-8.`);
    return encodeUtf8(isFirst && text.startsWith(mark) ? text.slice(1) : text);
  }
  for await (const part of parts) {
    rest = rest.length === 0 ? part : joined(rest, part);
    if (kind !== null || rest.length >= firstBytes || isLineOfText(rest)) yield take(false);
  }
  yield take(true);
}

function textKind(bytes: Uint8Array, name: string): TextKind {
  const kind = kindOfFile(bytes);
  if ('cure' in kind) throw otherKind(name, kind);
  return kind;
}

/** Returns whether a whole line of plain text has come: whoever writes line by line waits for what is said of each. */
function isLineOfText(bytes: Uint8Array): boolean {
  return bytes.includes(0x0a) && kindOfFile(bytes).is === 'UTF-8';
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** A text, with the UTF-16 offset of the first half of a character or malformed byte; null without one. */
interface Decoded {
  readonly text: string;
  readonly broken: number | null;
}

function fromUtf8(bytes: Uint8Array): Decoded {
  const { text, firstFault } = decodeUtf8Leniently(bytes);
  return { text, broken: firstFault?.charOffset ?? null };
}

/** Returns how many bytes hold whole characters. */
function wholeLength(bytes: Uint8Array, kind: TextKind): number {
  const end = bytes.length - (bytes.length % kind.unit);
  const isHalf = kind.unit === 2 && end > 0 && (codeAt(bytes, end - 2, kind) & 0xfc00) === 0xd800;
  return isHalf ? end - 2 : end;
}

function codeAt(bytes: Uint8Array, at: number, { unit, little }: TextKind): number {
  let code = 0;
  for (let i = 0; i < unit; i++) code = code * 256 + (bytes[little === true ? at + unit - 1 - i : at + i] ?? 0);
  return code;
}

const run = 4_096;

function fromUnits(bytes: Uint8Array, kind: TextKind): Decoded {
  const pieces: string[] = [];
  let codes: number[] = [];
  for (let at = 0; at < bytes.length; at += kind.unit) {
    const code = at + kind.unit > bytes.length ? 0xd800 : codeAt(bytes, at, kind);
    // A half of a character is what is out of place below, too.
    codes.push(code > 0x10ffff ? 0xd800 : code);
    if (codes.length < run && at + kind.unit < bytes.length) continue;
    pieces.push(String.fromCodePoint(...codes));
    codes = [];
  }
  const text = pieces.join('');
  return { text, broken: text.isWellFormed() ? null : text.search(/\p{Surrogate}/u) };
}
