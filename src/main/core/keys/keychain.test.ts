import { describe, expect, it, vi } from 'vitest';
import { createMemoryLibrary } from '#testing/agents-in-process.ts';
import { createKeychain } from './keychain.ts';
import { hide } from './secret.ts';

const unredacted = (text: string) => text;
const text = async (reading: Promise<ReturnType<typeof hide> | null>) =>
  (await reading)?.use((bytes) => Buffer.from(bytes).toString('utf8')) ?? null;

describe('createKeychain', () => {
  it('writes, reads and erases under the name of the product, to the byte', async () => {
    const library = createMemoryLibrary();
    const keychain = createKeychain(unredacted, () => Promise.resolve(library));
    expect(await keychain.read('a')).toBeNull();
    await keychain.write('a', hide('\uFEFFclé '));
    expect([...library.entries]).toEqual([['Croupier a', '\uFEFFclé ']]);
    expect(await text(keychain.read('a'))).toBe('\uFEFFclé ');
    expect([await keychain.erase('a'), await keychain.erase('a')]).toEqual([true, false]);
    expect(library.entries.size).toBe(0);
  });

  it.each([
    ['Timeout was reached', 'not_answering'],
    ['the call timed out', 'not_answering'],
    ['Cannot get secret of a locked object', 'locked'],
    ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'locked'],
    ['The prompt was dismissed.', 'locked'],
    ['Prompt was closed', 'locked'],
    ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'no_keychain'],
    ['DBus is not running', 'no_keychain'],
    ['Autolaunch failed', 'no_keychain'],
    ['Could not connect: No such file or directory', 'no_keychain'],
    ['Connection refused', 'no_keychain'],
    // Electron says so to its children where there is no session bus.
    ['Unknown or unsupported transport “disabled” for address “disabled:”', 'no_keychain'],
    ['org.freedesktop.systemd1.ServiceUnknown', 'no_keychain'],
    ['The name org.freedesktop.secrets was not provided by any .service files', 'no_keychain'],
    ['Could not get owner: name has no owner', 'no_keychain'],
  ])('says what to do about “%s”: %s', async (said, reason) => {
    const library = createMemoryLibrary();
    library.fault = said;
    const keychain = createKeychain(unredacted, () => Promise.resolve(library), 'linux');
    await expect(keychain.read('a')).rejects.toMatchObject({
      code: 'key_unavailable',
      details: { reason },
      message: expect.not.stringContaining(said),
    });
  });

  it.each([
    ['darwin', 'User interaction is not allowed.', 'locked', 'The keychain is locked, or nobody can answer its prompt here.'],
    ['darwin', 'User canceled the operation.', 'refused', 'The keychain refused: User canceled the operation.'],
    ['win32', 'The prompt has\r\ntimed out.\r\n', 'refused', 'The keychain refused: The prompt has timed out.'],
    ['win32', 'Connection refused', 'refused', 'The keychain refused: Connection refused'],
    ['win32', '', 'refused', 'The keychain refused: it gave no reason.'],
  ] as const)('says on %s of “%s”: %s', async (platform, said, reason, message) => {
    const library = createMemoryLibrary();
    library.fault = said;
    const keychain = createKeychain(unredacted, () => Promise.resolve(library), platform);
    await expect(keychain.read('a')).rejects.toMatchObject({ details: { reason }, message: expect.stringContaining(message) });
  });

  it('holds for the session what is too long for an entry of Windows, and asks it for nothing', async () => {
    const library = createMemoryLibrary();
    const keychain = createKeychain(unredacted, () => Promise.resolve(library), 'win32');
    await keychain.write('a', hide('é'.repeat(1_280)));
    await expect(keychain.write('a', hide(`${'é'.repeat(1_280)}x`))).rejects.toMatchObject({
      details: { reason: 'no_keychain' },
      message: 'Windows stores at most 2,560 bytes in an entry, and this one has 2,561. So it is held for this session only.',
    });
    expect(library.calls).toEqual(['set a']);
    // Other keychains have no such limit.
    await createKeychain(unredacted, () => Promise.resolve(library), 'darwin').write('a', hide('x'.repeat(4_096)));
  });

  it('repeats another failure in the keychain’s words, without a key in them', async () => {
    const library = createMemoryLibrary();
    library.fault = 'No room for the-key';
    const keychain = createKeychain(
      (said) => said.replace('the-key', '***'),
      () => Promise.resolve(library),
    );
    await expect(keychain.write('a', hide('the-key'))).rejects.toMatchObject({
      details: { reason: 'refused' },
      message: 'The keychain refused: No room for ***',
    });
    // A native library may throw something that is not an error.
    library.deletePassword = vi.fn<typeof library.deletePassword>().mockRejectedValue('No room for the-key');
    await expect(keychain.erase('a')).rejects.toMatchObject({ message: 'The keychain refused: No room for ***' });
  });

  it('asks one thing at a time, in order, and goes on after a failure', async () => {
    const library = createMemoryLibrary();
    const waiting: (() => void)[] = [];
    let inside = 0;
    let most = 0;
    const slow = {
      ...library,
      async getPassword(_service: string, account: string) {
        most = Math.max(most, ++inside);
        await new Promise<void>((resolve) => waiting.push(resolve));
        inside--;
        if (account === 'b') throw new Error('Connection refused');
        return account;
      },
    };
    const keychain = createKeychain(unredacted, () => Promise.resolve(slow));
    const asked = ['a', 'b', 'c'].map((account) => text(keychain.read(account)));
    const settled = Promise.allSettled(asked);
    for (let turn = 0; turn < 3; turn++) {
      await expect.poll(() => waiting.length).toBe(1);
      waiting.shift()?.();
    }
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await asked[2]).toBe('c');
    expect(most).toBe(1);
  });

  it('loads the library once, and again after that failed', async () => {
    const library = createMemoryLibrary();
    let loads = 0;
    const failsOnce = () => {
      loads++;
      return loads === 1 ? Promise.reject(new Error('libsecret-1.so.0: cannot open')) : Promise.resolve(library);
    };
    const keychain = createKeychain(unredacted, failsOnce, 'linux');
    await expect(keychain.read('a')).rejects.toMatchObject({
      details: { reason: 'no_keychain' },
      message: expect.stringContaining('libsecret'),
    });
    expect(await keychain.read('a')).toBeNull();
    expect(await keychain.read('a')).toBeNull();
    expect(loads).toBe(2);
    loads = 0;
    await expect(createKeychain(unredacted, failsOnce, 'win32').read('a')).rejects.toThrow(
      /for this session only\. The system says: libsecret-1\.so\.0: cannot open$/,
    );
  });
});
