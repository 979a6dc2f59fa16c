import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash as digest,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { z } from '#shared/model/schema.ts';
import { writeNewFileDurably } from '../files/files.ts';
import { readHomeFile } from '../files/home-file.ts';
import { vouched } from '../files/passed.ts';

/** Files by their path below the folder, with `/`. */
export type Files = readonly (readonly [path: string, content: string | Uint8Array])[];

/** The list of a folder's files, and its signature. */
const listName = 'hashes.txt';
const signatureName = 'signature.json';
/** Name in the list of an evidence that is one page. */
const pageName = 'page.html';
const [pageStart, pageEnd] = ['\n<!-- Croupier evidence: ', ' -->\n'];
/** Beginning of what is signed, so that no other text of this key can pass for a list. */
const purpose = 'Croupier evidence 1\n';

const Signature = z.strictObject({ format: z.literal(1), key: z.string(), signature: z.string() });
const Key = z.object({ format: z.literal(1), privateKey: z.string() });

/** The key with which this home signs evidence (Ed25519). */
export interface EvidenceKey {
  /** Its public part as PEM. */
  readonly publicKey: string;
  readonly fingerprint: string;
  /** Returns what stands beside a list of files. */
  readonly sign: (list: string) => string;
}

/** A file of evidence, and how it is beside what was signed. */
export type FileState = 'as signed' | 'changed' | 'missing' | 'not signed';

/** Findings of a check of evidence. */
export interface Verified {
  readonly files: readonly { readonly path: string; readonly state: FileState }[];
  /** The list is the one that the key signed. */
  readonly isListSigned: boolean;
  /** Fingerprint of the key in the evidence; null if there is none that can be read. */
  readonly fingerprint: string | null;
}

/** Returns the key of a home; null if it has signed nothing yet. Fails with `storage`. */
export function readEvidenceKey(home: string): EvidenceKey | null {
  const kept = readHomeFile({
    kind: 'home.evidenceKey',
    path: pathIn(home),
    schema: Key,
    holds: 'signs the evidence of this home',
  });
  return kept && keyOf(createPrivateKey({ key: Buffer.from(kept.value.privateKey, 'base64'), format: 'der', type: 'pkcs8' }));
}

/** Returns the key of a home, which is made at its first use. Fails with `storage`. */
export async function openEvidenceKey(home: string): Promise<EvidenceKey> {
  const kept = readEvidenceKey(home);
  if (kept !== null) return kept;
  const { privateKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  try {
    await writeNewFileDurably(pathIn(home), vouched('home', 'own', `${JSON.stringify({ format: 1, privateKey: der })}\n`));
    return keyOf(privateKey);
  } catch (error) {
    // Another process made it meanwhile.
    const theirs = error instanceof AppError && error.code === 'conflict' ? readEvidenceKey(home) : null;
    if (theirs === null) throw error;
    return theirs;
  }
}

const pathIn = (home: string) => join(home, 'evidence-key.json');

function keyOf(privateKey: KeyObject): EvidenceKey {
  const publicKey = createPublicKey(privateKey);
  return {
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    fingerprint: fingerprintOf(publicKey),
    sign: (list) => {
      const signature = sign(null, Buffer.from(purpose + list), privateKey).toString('base64');
      return JSON.stringify({ format: 1, key: derOf(publicKey).toString('base64'), signature });
    },
  };
}

function derOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' });
}

/** Returns `SHA256:` and the digest of a public key in base64, as OpenSSH writes fingerprints. */
function fingerprintOf(key: KeyObject): string {
  return `SHA256:${digest('sha256', derOf(key), 'base64').replace(/=+$/, '')}`;
}

/** Returns the fingerprint of a public key as PEM, or of a fingerprint itself. Fails with `invalid_input`. */
export function fingerprintIn(text: string): string {
  const given = text.trim();
  if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(given)) return given;
  try {
    return fingerprintOf(createPublicKey(given));
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      `This is not an evidence key. Enter the key's fingerprint, SHA256:…, or a file printed by "croupier evidence key".`,
      undefined,
      { cause },
    );
  }
}

/** Returns the SHA-256 of each file as `sha256sum -c` reads it. */
function listOf(files: Files): string {
  return files.map(([path, content]) => `${digest('sha256', content)}  ${path}\n`).join('');
}

/** Adds the list of a folder's files and its signature. */
export function signedFiles(files: Files, key: EvidenceKey): Files {
  const list = listOf(files);
  return [...files, [listName, list], [signatureName, `${key.sign(list)}\n`]];
}

/** Adds a signature to evidence that is one page. */
export function signedPage(html: string, key: EvidenceKey): string {
  return `${html}${pageStart}${key.sign(listOf([[pageName, html]]))}${pageEnd}`;
}

/** Checks the files of a folder. Fails with `invalid_input` for one without a list or a signature. */
export function verifyFiles(files: Files): Verified {
  const contents = new Map(files);
  const list = contents.get(listName);
  const signature = contents.get(signatureName);
  if (list === undefined || signature === undefined) {
    throw new AppError(
      'invalid_input',
      `There is no ${list === undefined ? listName : signatureName} here. Name a folder of evidence that Croupier signed.`,
    );
  }
  const text = Buffer.from(list).toString();
  const signed = new Map(Array.from(text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm), ([, hash = '', path = '']) => [path, hash]));
  const others = [...contents.keys()].filter((path) => !signed.has(path) && path !== listName && path !== signatureName);
  return {
    files: [
      ...Array.from(signed, ([path, hash]) => {
        const content = contents.get(path);
        if (content === undefined) return { path, state: 'missing' as const };
        return {
          path,
          state: digest('sha256', content) === hash ? ('as signed' as const) : ('changed' as const),
        };
      }),
      ...others.map((path) => ({ path, state: 'not signed' as const })),
    ],
    ...signatureOf(Buffer.from(signature).toString(), text),
  };
}

/** Checks evidence that is one page, by its bytes. Fails with `invalid_input` for a page without a signature. */
export function verifyPage(bytes: Buffer): Verified {
  const at = bytes.lastIndexOf(pageStart);
  if (at === -1)
    throw new AppError('invalid_input', "This page doesn't end with a Croupier signature. Name evidence that Croupier signed.");
  const end = bytes.toString('utf8', at + pageStart.length);
  const page = bytes.subarray(0, at);
  const found = end.endsWith(pageEnd) ? signatureOf(end.slice(0, -pageEnd.length), listOf([[pageName, page]])) : unsigned;
  return { files: [{ path: pageName, state: found.isListSigned ? 'as signed' : 'changed' }], ...found };
}

const unsigned = { isListSigned: false, fingerprint: null } as const;

function signatureOf(text: string, list: string): Pick<Verified, 'isListSigned' | 'fingerprint'> {
  try {
    const { key, signature } = Signature.parse(JSON.parse(text));
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    const isEd25519 = publicKey.asymmetricKeyType === 'ed25519';
    const isListSigned = isEd25519 && verify(null, Buffer.from(purpose + list), publicKey, Buffer.from(signature, 'base64'));
    return { isListSigned, fingerprint: fingerprintOf(publicKey) };
  } catch {
    return unsigned;
  }
}
