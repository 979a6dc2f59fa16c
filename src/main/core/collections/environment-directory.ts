import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mostEnvironments, type EnvironmentFile } from '#shared/collections/environment-file.ts';
import { environmentsFolder, fileOfRequest, pathIn, refusedName, requestOfFile } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { pemOfFile } from '#shared/json/file-text.ts';
import { certificatesIn, plainPem } from '../environments/validate-environment.ts';
import { asStorage, locate, readNamed, readSource, type Source } from './disk.ts';
import { secretWordsOf } from './environment-secrets.ts';
import type { FileReader } from './file-reader.ts';
import { holdsRequest } from './tree.ts';

/** An environment of a collection as it is on the disk. */
export interface ReadEnvironment {
  readonly file: EnvironmentFile;
  /** PEM of its certificate authority; empty for none. */
  readonly ca: string;
  /** The text of the file, for those who look for keys in it. */
  readonly text: string;
  /** Identifies the bytes of its file and of its certificate authority. */
  readonly revision: string;
}

export interface EnvironmentDirectoryDeps {
  readonly reader: FileReader;
  readonly write: (path: string, kind: 'environment', source: string | null, value: EnvironmentFile) => Promise<string>;
  /** Writes a file whose bytes `revision` names; null for a new one. Fails with `conflict` if it is another one by now. */
  readonly save: (path: string, write: (source: string | null) => Promise<string>, revision: string | null) => Promise<void>;
}

const pathOf = (file: string) => pathIn(environmentsFolder, file);

/** The environments of one collection. Nothing here takes turns: whoever changes something holds the collection's lock. */
export function createEnvironmentDirectory(directory: string, { reader, save, write }: EnvironmentDirectoryDeps) {
  async function sourceOf(path: string, decode?: (bytes: Buffer) => string): Promise<Source | null> {
    const { absolute, stats } = await locate(directory, path).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return { absolute: '', stats: null };
      throw error;
    });
    if (stats === null) return null;
    return readNamed(path, () => readSource('collection.environment', absolute, decode));
  }

  /** Reads the certificate authority that a file names. */
  async function certificate(path: string, name: string): Promise<Source> {
    if (name === '') return { text: '', revision: '' };
    const source = await sourceOf(pathOf(name), pemOf);
    if (source === null)
      throw new AppError('invalid_input', `${path} names ${name} as its certificate authority, but that file is missing.`);
    const outside = source.text.replaceAll(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g, '');
    if (/-----BEGIN /.test(outside) || secretWordsOf(outside) !== null)
      throw new AppError('invalid_input', `${pathOf(name)} contains more than certificates. Leave only the certificates in it.`);
    await readNamed(pathOf(name), async () => certificatesIn(source.text));
    return source;
  }

  async function readEnvironment(name: string): Promise<(ReadEnvironment & { sources: { yaml: Source; ca: Source } }) | null> {
    const path = pathOf(fileOfRequest(name));
    const refusal = refusedName(name, 'request');
    if (refusal !== null) throw new AppError('invalid_input', `${path.slice(0, 200)} cannot be an environment file. ${refusal}`);
    const yaml = await sourceOf(path);
    if (yaml === null) return null;
    const { value: file } = await readNamed(path, () => reader.read('environment', yaml.text));
    const ca = await certificate(path, file.ca);
    return { file, ca: ca.text, text: yaml.text, revision: `${yaml.revision}:${ca.revision}`, sources: { yaml, ca } };
  }

  return {
    /** Returns the names of the files in their order. */
    async environmentNames(): Promise<readonly string[]> {
      const { absolute, stats } = await locate(directory, environmentsFolder);
      if (stats?.isDirectory() !== true) return [];
      const names: string[] = [];
      for (const { name: file } of await readdir(absolute, { withFileTypes: true })) {
        const name = requestOfFile(file);
        if (name !== null && !(await holdsRequest(join(absolute, file)))) names.push(name);
      }
      return names.sort((one, other) => (one < other ? -1 : 1)).slice(0, mostEnvironments);
    },
    /** Returns null if there is no such file. Fails with `invalid_input`, which names file and position, with `refused` for a link, and with `storage`. */
    async readEnvironment(name: string): Promise<ReadEnvironment | null> {
      const found = await readEnvironment(name);
      if (found === null) return null;
      const { sources: _sources, ...read } = found;
      return read;
    },
    /**
     * Writes an environment: of a file that is there, only the lines that differ. `ca` is the PEM of its certificate authority, which gets a file of
     * its own if it differs from that on the disk. `revision` is null for a new one. Fails as a save of a request does.
     */
    async saveEnvironment(name: string, file: Omit<EnvironmentFile, 'ca'>, ca: string, revision: string | null): Promise<void> {
      const found = await readEnvironment(name);
      if ((found?.revision ?? null) !== revision)
        throw new AppError('conflict', `Another program changed ${pathOf(fileOfRequest(name))} since Croupier read it.`);
      await mkdir(join(directory, environmentsFolder), { recursive: true }).catch((cause: unknown) => {
        throw asStorage(cause, environmentsFolder);
      });
      const certificateName = await putCertificate(name, ca, found);
      const value = { ...file, ca: certificateName };
      const path = pathOf(fileOfRequest(name));
      await save(path, (source) => write(path, 'environment', source, value), found?.sources.yaml.revision ?? null);
    },
  };

  /** Returns the name of the file that holds the certificate authority, written if it differs. */
  async function putCertificate(
    name: string,
    ca: string,
    found: (ReadEnvironment & { sources: { ca: Source } }) | null,
  ): Promise<string> {
    if (ca.trim() === '') return '';
    if (found !== null && found.file.ca !== '' && sameCertificates(found.ca, ca)) return found.file.ca;
    const own = `${name}.pem`;
    const isOurs = found?.file.ca === own;
    const text = ca.endsWith('\n') ? ca : `${ca}\n`;
    await save(pathOf(own), async () => text, isOurs ? found.sources.ca.revision : null);
    return own;
  }
}

function pemOf(bytes: Buffer): string {
  return plainPem(pemOfFile(bytes, 'The file', () => bytes.toString('base64')).text);
}

/** Returns whether two PEM texts hold the same certificates: git may change their line breaks. */
function sameCertificates(one: string, other: string): boolean {
  return fingerprintsOf(one) === fingerprintsOf(other);
}

/** Returns the SHA-256 fingerprints of the certificates of a PEM text, as a line. */
export function fingerprintsOf(pem: string): string {
  return certificatesIn(pem)
    .map(({ fingerprint256 }) => fingerprint256)
    .join(' ');
}
