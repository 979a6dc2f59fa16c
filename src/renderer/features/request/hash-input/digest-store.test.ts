import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createDigestStore, type DigestInput } from './digest-store.ts';
import { createFakeClient } from '#testing/fake-client.ts';

const input = (data: string | null, environmentId = 'staging'): DigestInput => ({
  environmentId,
  time: '20-11-2026 10:15:30',
  data,
});

function setUp() {
  const fake = createFakeClient();
  const planned = new Set<() => void>();
  const store = createDigestStore(fake.client, {
    later(run) {
      planned.add(run);
      return () => planned.delete(run);
    },
  });
  const pause = () => {
    const due = Array.from(planned);
    planned.clear();
    for (const run of due) run();
  };
  return { ...fake, store, want: store.getState().want, digest: () => store.getState().digest, pause };
}

describe('the digest store', () => {
  it('asks for the last input alone, after the pause', async () => {
    const { answer, asked, want, pause, digest } = setUp();
    answer('keys.digest', ({ data }) => ({ digest: `of ${data}` }));
    want(input('1'));
    want(input('12'));
    want(input('123'));
    expect(asked).toEqual([]);
    pause();
    await vi.waitFor(() => expect(digest()).toEqual({ state: 'ready', digest: 'of 123', input: input('123') }));
    expect(asked).toHaveLength(1);
  });

  it('asks at once where the time alone is another', async () => {
    const { answer, asked, want, pause, digest } = setUp();
    answer('keys.digest', ({ time }) => ({ digest: `at ${time}` }));
    want(input('1'));
    pause();
    await vi.waitFor(() => expect(digest().state).toBe('ready'));
    want({ ...input('1'), time: 'later' });
    await vi.waitFor(() => expect(digest()).toMatchObject({ digest: 'at later' }));
    expect(asked).toHaveLength(2);
  });

  it('asks again for what failed, where the workbench answers again and the input stays', async () => {
    const { answer, asked, store, want, pause, digest } = setUp();
    answer('keys.digest', () => {
      throw new AppError('internal', 'The workbench did not answer.');
    });
    want(input('1'));
    pause();
    await vi.waitFor(() => expect(digest().state).toBe('failed'));
    answer('keys.digest', () => ({ digest: 'd' }));
    store.getState().refresh();
    await vi.waitFor(() => expect(digest()).toMatchObject({ state: 'ready', digest: 'd' }));
    store.getState().refresh();
    expect(asked).toHaveLength(2);
  });

  it('never shows an answer that was overtaken', async () => {
    const { answer, want, pause, digest } = setUp();
    const slow = Promise.withResolvers<{ digest: string }>();
    answer('keys.digest', ({ data }) => (data === 'slow' ? slow.promise : { digest: 'new' }));
    want(input('slow'));
    pause();
    want(input('quick'));
    pause();
    await vi.waitFor(() => expect(digest()).toMatchObject({ state: 'ready', digest: 'new' }));
    slow.resolve({ digest: 'old' });
    await slow.promise;
    expect(digest()).toMatchObject({ digest: 'new' });
  });

  it('keeps the older digest with its input while typing, and drops it with another environment or key', async () => {
    const { answer, emit, want, pause, digest } = setUp();
    answer('keys.digest', () => ({ digest: 'd' }));
    want(input('1'));
    pause();
    await vi.waitFor(() => expect(digest().state).toBe('ready'));
    want(input('2'));
    expect(digest()).toEqual({ state: 'ready', digest: 'd', input: input('1') });
    emit('keys.changed', { environmentId: 'staging' });
    expect(digest()).toEqual({ state: 'asking' });
    await vi.waitFor(() => expect(digest()).toMatchObject({ input: input('2') }));
    want(input('2', 'live'));
    expect(digest()).toEqual({ state: 'asking' });
    want(null);
    expect(digest()).toEqual({ state: 'none' });
  });

  it('says that the key is missing, and asks again when it was set', async () => {
    const { answer, emit, want, pause, digest } = setUp();
    answer('keys.digest', () => {
      throw new AppError('key_missing', 'No key is set.');
    });
    want(input(null));
    pause();
    await vi.waitFor(() => expect(digest()).toEqual({ state: 'keyless', locked: false, message: 'No key is set.' }));
    answer('keys.digest', () => ({ digest: 'now' }));
    emit('keys.changed', { environmentId: 'other' });
    emit('keys.changed', { environmentId: 'staging' });
    await vi.waitFor(() => expect(digest()).toMatchObject({ state: 'ready', digest: 'now' }));
  });
});
