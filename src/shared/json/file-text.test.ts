import { describe, expect, it } from 'vitest';
import { asUtf8, kindOfFile, textOfFile } from './file-text.ts';
import { encodeUtf8 } from './utf8.ts';

const text = '{"name": "Zoë 😀 \u{10ffff}", "list": [1, 2, 3]}\r\n';

/** Writes a text in units of some bytes, as iconv and PowerShell do. */
function units(text: string, width: 2 | 4, little: boolean): Uint8Array {
  const codes =
    width === 4
      ? Array.from(text, (one) => one.codePointAt(0) ?? 0)
      : Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return Uint8Array.from(
    codes.flatMap((code) => {
      const bytes = Array.from({ length: width }, (_, at) => Math.floor(code / 256 ** at) % 256);
      return little ? bytes : bytes.toReversed();
    }),
  );
}

function bytes(...first: (number | string)[]): Uint8Array {
  return Uint8Array.from([
    ...first.flatMap((one) => (typeof one === 'number' ? [one] : Array.from(one, (c) => c.charCodeAt(0)))),
    ...Array<number>(80).fill(0xb7),
  ]);
}

const read = [
  {
    name: 'UTF-8',
    of: (given: string) => encodeUtf8(given),
    oddity: 'was read without its byte order mark',
    plain: null,
  },
  {
    name: 'UTF-16 LE',
    of: (given: string) => units(given, 2, true),
    oddity: 'was read as UTF-16 LE',
    plain: 'was read as UTF-16 LE',
  },
  {
    name: 'UTF-16 BE',
    of: (given: string) => units(given, 2, false),
    oddity: 'was read as UTF-16 BE',
    plain: 'was read as UTF-16 BE',
  },
  {
    name: 'UTF-32 LE',
    of: (given: string) => units(given, 4, true),
    oddity: 'was read as UTF-32 LE',
    plain: 'was read as UTF-32 LE',
  },
  {
    name: 'UTF-32 BE',
    of: (given: string) => units(given, 4, false),
    oddity: 'was read as UTF-32 BE',
    plain: 'was read as UTF-32 BE',
  },
];

const zip = ['PK\x03\x04', '\x14\0\x06\0\x08\0', '\0'.repeat(20)];

const named: [string, Uint8Array, string][] = [
  ['zip', bytes(...zip, 'bet.json'), 'f is a ZIP archive. Unpack it and use the file inside.'],
  ['empty zip', bytes('PK\x05\x06'), 'f is a ZIP archive. Unpack it and use the file inside.'],
  [
    'xlsx of Excel',
    bytes(...zip, '[Content_Types].xml'),
    'f is an Excel, Word or OpenDocument file. Save it as CSV UTF-8 or as plain text first.',
  ],
  [
    'xlsx of openpyxl',
    bytes(...zip, 'docProps/app.xml'),
    'f is an Excel, Word or OpenDocument file. Save it as CSV UTF-8 or as plain text first.',
  ],
  [
    'ods',
    bytes(...zip, 'mimetypeapplication/vnd.oasis'),
    'f is an Excel, Word or OpenDocument file. Save it as CSV UTF-8 or as plain text first.',
  ],
  [
    'xls',
    bytes(0xd0, 0xcf, 0x11, 0xe0),
    'f is an Excel, Word or OpenDocument file. Save it as CSV UTF-8 or as plain text first.',
  ],
  ['gzip', bytes(0x1f, 0x8b, 8), 'f is compressed with gzip. Unpack it with gunzip first.'],
  ['bzip2', bytes('BZh91AY&SY'), 'f is a compressed archive. Unpack it and use the file inside.'],
  ['xz', bytes(0xfd, '7zXZ', 0), 'f is a compressed archive. Unpack it and use the file inside.'],
  ['zstd', bytes(0x28, 0xb5, 0x2f, 0xfd), 'f is a compressed archive. Unpack it and use the file inside.'],
  ['7z', bytes('7z', 0xbc, 0xaf, 0x27, 0x1c), 'f is a compressed archive. Unpack it and use the file inside.'],
  ['PNG', bytes(0x89, 'PNG'), 'f is a picture. Use the text itself.'],
  ['JPEG', bytes(0xff, 0xd8, 0xff), 'f is a picture. Use the text itself.'],
  ['PDF', bytes('%PDF-1.7'), 'f is a PDF. Use the text itself.'],
  ['certificate', bytes(0x30, 0x82, 3, 1, 0x30, 0x82), 'f is a certificate in binary form (DER). Choose a text file.'],
  [
    'PKCS#12',
    bytes(0x30, 0x82, 9, 1, 2, 1, 3, 0x30),
    'f is a PKCS#12 file (.p12, .pfx), which may hold a private key. Export only the certificate: openssl pkcs12 -in FILE -nokeys -out ca.pem',
  ],
  [
    'PKCS#7',
    bytes(0x30, 0x80, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2),
    'f is a PKCS#7 file (.p7b). Choose a text file.',
  ],
  ['PKCS#8 key', bytes(0x30, 0x82, 4, 1, 2, 1, 0, 0x30), 'f is a private key in binary form (DER). Leave it where it is.'],
  [
    'Java keystore',
    bytes(0xfe, 0xed, 0xfe, 0xed),
    'f is a Java keystore. Export only the certificate: keytool -exportcert -rfc -keystore FILE -alias NAME -file ca.pem',
  ],
];

async function streamed(given: Uint8Array, size: number): Promise<string> {
  async function* parts() {
    for (let at = 0; at < given.length; at += size) yield given.subarray(at, at + size);
  }
  const all: number[] = [];
  for await (const part of asUtf8(parts(), 'f')) all.push(...part);
  return Buffer.from(all).toString();
}

describe('a file by its first bytes', () => {
  it.each(read)('is read as $name, with and without a mark, whole and in parts', async ({ name, of, oddity, plain }) => {
    expect(kindOfFile(of(text)).is).toBe(name);
    expect(textOfFile(of(text), 'f')).toEqual({ text, oddity: plain });
    expect(textOfFile(of(`\uFEFF${text}`), 'f')).toEqual({ text, oddity });
    const long = text.repeat(5);
    for (const size of [1, 3, 64, 67, 10_000]) {
      expect(await streamed(of(long), size)).toBe(long);
      expect(await streamed(of(`\uFEFF${long}`), size)).toBe(long);
    }
    // A few bytes, or none.
    expect(await streamed(of('\uFEFFé'), 1)).toBe('é');
    expect(await streamed(of(''), 1)).toBe('');
  });
  it.each(named)('is named if it is %s', async (_, given, sentence) => {
    expect(() => textOfFile(given, 'f')).toThrow(sentence);
    await expect(streamed(given, 50)).rejects.toThrow(sentence);
  });
  it.each(['0000,1', '0,0', '00', 'PK', 'BZh9', '(µ', 'curl', '', '7z', '30820301'])('is text: %s', (given) => {
    expect(textOfFile(encodeUtf8(given), 'f')).toEqual({ text: given, oddity: null });
  });
  it('is refused with the place where it stops being text', async () => {
    const latin = Uint8Array.from([0x61, 0x0d, 0x0a, 0x62, 0xe9]);
    expect(() => textOfFile(latin, 'f')).toThrow("f isn't valid UTF-8 at line 2, column 2. Save it as UTF-8.");
    const half = Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x3d, 0xd8, 0x61, 0]);
    expect(() => textOfFile(half, 'f')).toThrow("f isn't valid UTF-16 LE at line 1, column 2. Save it as UTF-8.");
    const cut = units(`\uFEFF${text}`, 2, true).subarray(0, -1);
    expect(() => textOfFile(cut, 'f')).toThrow("isn't valid UTF-16 LE at line 2, column 1.");
    await expect(streamed(cut, 7)).rejects.toThrow("f isn't valid UTF-16 LE. Save it as UTF-8.");
    const wide = Uint8Array.from([0xff, 0xfe, 0, 0, 0, 0, 0x11, 0]);
    expect(() => textOfFile(wide, 'f')).toThrow("isn't valid UTF-32 LE");
  });
});
