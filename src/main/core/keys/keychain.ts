import { AppError } from '#shared/errors.ts';
import {
  keyError,
  lockedWords,
  mostOnWindows,
  noLibraryMessage,
  noServiceMessage,
  silences,
  tooLongMessage,
} from './key-faults.ts';
import { hide, type Secret } from './secret.ts';

/** The name under which the OS keychain lists the workbench's entries. */
const service = 'Croupier';

/** A key may begin with any character. */
const utf8 = { ignoreBOM: true };

/** The part of keytar that is used. `findCredentials` is not: on a locked GNOME keyring it ends the process. */
interface Library {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** The OS keychain. Every failure is an AppError made by `keyError`; a locked keyring may also reply as if it were empty. */
export type Keychain = ReturnType<typeof createKeychain>;

/**
 * Runs one keychain call at a time: each holds a thread for as long as the keychain's service takes, and four would leave the
 * process none. The library is native and loaded on first use, because loading fails if the system lacks a part. `redact` makes its
 * messages fit to be shown.
 */
export function createKeychain(
  redact: (text: string) => string,
  load: () => Promise<Library> = loadLibrary,
  platform: NodeJS.Platform = process.platform,
) {
  let library: Promise<Library> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: (library: Library) => Promise<T>): Promise<T> {
    const result = last.then(async () => {
      library ??= load();
      let loaded: Library;
      try {
        loaded = await library;
      } catch (error) {
        library = null;
        const known = error instanceof AppError ? error.message : noLibraryMessage(redact(saidBy(error)), platform);
        throw keyError('no_keychain', known);
      }
      try {
        return await work(loaded);
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw explain(saidBy(error), redact, platform);
      }
    });
    last = result.catch(() => undefined);
    return result;
  }

  return {
    read: (account: string): Promise<Secret | null> =>
      inTurn(async (keytar) => {
        const text = await keytar.getPassword(service, account);
        return text === null ? null : hide(text);
      }),
    write: (account: string, key: Secret): Promise<void> =>
      inTurn((keytar) => {
        // Windows itself would only say that the parameter is incorrect, in its own language.
        if (platform === 'win32' && key.length > mostOnWindows) throw keyError('no_keychain', tooLongMessage(key.length));
        return keytar.setPassword(
          service,
          account,
          key.use((bytes) => new TextDecoder('utf-8', utf8).decode(bytes)),
        );
      }),
    /** Returns false if there was nothing, which a locked keyring also reports. */
    erase: (account: string): Promise<boolean> => inTurn((keytar) => keytar.deletePassword(service, account)),
  };
}

async function loadLibrary(): Promise<Library> {
  // The default export alone: of this module's names Node sees only one.
  return (await import('keytar')).default;
}

/** Returns what a system said, on one line: that of Windows ends with a line break. */
function saidBy(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().replaceAll(/\s+/g, ' ') || 'it gave no reason.';
}

function explain(text: string, redact: (text: string) => string, platform: NodeJS.Platform): Error {
  if (platform === 'darwin' && /interaction is not allowed/i.test(text)) return keyError('locked', lockedWords(platform));
  // Those of the other systems are in the user's language, or say it themselves.
  if (platform !== 'darwin' && platform !== 'win32') {
    if (/timeout was reached|timed out/i.test(text)) return keyError('not_answering', silences.keychain('in time'));
    if (/locked|does not exist at path|dismissed|prompt/i.test(text)) return keyError('locked', lockedWords(platform));
    if (
      /D-?Bus|autolaunch|could not connect|unsupported transport|connection refused|ServiceUnknown|\.service files|name has no owner/i.test(
        text,
      )
    ) {
      return keyError('no_keychain', noServiceMessage);
    }
  }
  return keyError('refused', `The keychain refused: ${redact(text)}`);
}
