import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { secretForms } from '#testing/secret-forms.ts';

/** Finds a secret in texts, files and the arguments of processes, in every form in which it could have leaked. */
export interface SecretScan {
  /** The forms by name, each as the bytes that a file would contain. */
  readonly forms: ReadonlyMap<string, Buffer>;
  /** Returns the names of the forms that the text or bytes contain. */
  inBytes(content: string | Buffer): string[];
  /** Returns the files below a folder that contain a form, as `path: form`, and counts what it read. */
  inFolder(folder: string): { found: string[]; files: number; bytes: number };
}

/**
 * Creates a scan for the whole secret and for a distinctive part of it, which is found even if the whole was cut, wrapped or
 * escaped in an unknown way.
 */
export function createSecretScan(secret: string, part: string): SecretScan {
  const forms = new Map<string, Buffer>();
  for (const [what, text] of [
    ['the key', secret],
    ['a part of the key', part],
  ] as const) {
    for (const [name, form] of secretForms(text)) {
      forms.set(`${what}, ${name}`, Buffer.from(form, 'utf8'));
      forms.set(`${what}, ${name}, as UTF-16`, Buffer.from(form, 'utf16le'));
    }
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
    forms.set(`${what}, every character escaped`, Buffer.from(units.map((unit) => `\\u${unit}`).join('')));
    forms.set(`${what}, every character ESCAPED`, Buffer.from(units.map((unit) => `\\u${unit.toUpperCase()}`).join('')));
    forms.set(`${what}, as UTF-16 in hex`, Buffer.from(Buffer.from(text, 'utf16le').toString('hex')));
    forms.set(`${what}, backwards`, Buffer.from(Array.from(text).reverse().join('')));
  }

  function inBytes(content: string | Buffer): string[] {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    return [...forms].filter(([, form]) => bytes.includes(form)).map(([name]) => name);
  }

  return {
    forms,
    inBytes,
    inFolder(folder) {
      const seen = { found: [] as string[], files: 0, bytes: 0 };
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name);
        if (!entry.isFile() || !statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
        const content = readFileSync(file);
        seen.files += 1;
        seen.bytes += content.length;
        for (const where of [content, Buffer.from(entry.name)]) {
          seen.found.push(...inBytes(where).map((form) => `${path.relative(folder, file)}: ${form}`));
        }
      }
      return seen;
    },
  };
}

/** All processes of this machine seen between `watchProcesses` and `stop`, one entry for each command line of a process. */
export interface ProcessWatch {
  stop(): SeenProcess[];
}

export interface SeenProcess {
  readonly commandLine: string;
  /** Empty for a process of another account. */
  readonly environment: Buffer;
}

/** Reads the process list again and again, as another user of the machine could. Only Linux shows it as files. */
export function watchProcesses(): ProcessWatch {
  const seen = new Map<string, SeenProcess>();
  function look(): void {
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      try {
        const commandLine = commandLineOf(pid);
        const id = `${pid} ${commandLine}`;
        if (seen.has(id)) continue;
        const environment = environmentOf(pid);
        // A process that replaced its program between the two reads has the environment of the second; it is read again.
        if (commandLineOf(pid) === commandLine) seen.set(id, { commandLine, environment });
      } catch {
        // It ended between the two reads.
      }
    }
  }
  look();
  const timer = setInterval(look, 5);
  return {
    stop() {
      clearInterval(timer);
      look();
      return [...seen.values()];
    },
  };
}

function commandLineOf(pid: string): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
}

function environmentOf(pid: string): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return Buffer.alloc(0);
    throw error;
  }
}
