import { describe, expect, it, vi } from 'vitest';
import { retryDelay } from './connection.ts';
import { createLoopbackTransport } from './loopback-transport.ts';

/** A host whose event streams are fed by hand, and a clock that runs by hand. */
function setUp() {
  const streams: { send: (text: string) => void; end: () => void }[] = [];
  const planned: { run: () => void; after: number; off: boolean }[] = [];
  const calls: unknown[] = [];
  const kept: boolean[] = [];
  const host = { up: true, admits: true, leaving: false };
  const loopback = createLoopbackTransport({
    session: 'secret',
    now: () => 1_000,
    leaving: () => host.leaving,
    later(run, after) {
      const plan = { run, after, off: false };
      planned.push(plan);
      return () => (plan.off = true);
    },
    async fetch(path, init) {
      if (!host.up) throw new TypeError('Failed to fetch');
      expect(new Headers(init?.headers).get('x-croupier-session')).toBe('secret');
      if (!host.admits) return Response.json({ ok: false, error: { code: 'refused', message: 'no' } }, { status: 401 });
      if (path === '/call') {
        calls.push(JSON.parse(init?.body as string));
        kept.push(init?.keepalive ?? false);
        return Response.json({ ok: true, value: { environments: [] } });
      }
      if (path === `/picture/${'a'.repeat(64)}`) return new Response(new Uint8Array([4, 5]));
      if (path.startsWith('/picture/')) return new Response(null, { status: 404 });
      if (path.startsWith('/body/')) return new Response(new Uint8Array([1, 2, 3]));
      const encoder = new TextEncoder();
      let ended = false;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const end = () => {
            if (!ended) controller.close();
            ended = true;
          };
          streams.push({ send: (text) => controller.enqueue(encoder.encode(text)), end });
          init?.signal?.addEventListener('abort', end);
        },
      });
      return new Response(body);
    },
  });
  const states: string[] = [];
  loopback.connection.watch(({ state }) => states.push(state));
  return { ...loopback, streams, planned, calls, kept, host, states };
}

describe('loopback transport', () => {
  it('passes calls, bytes and events on, and only events of the contract', async () => {
    const { transport, streams, calls, close } = setUp();
    const heard: unknown[] = [];
    const stop = transport.subscribe((name, payload) => heard.push([name, payload]));
    expect(await transport.call('environments.list', {})).toEqual({ ok: true, value: { environments: [] } });
    expect(calls).toEqual([{ name: 'environments.list', input: {} }]);
    expect([...(await transport.body(7))]).toEqual([1, 2, 3]);
    expect([...(await transport.picture('a'.repeat(64)))]).toEqual([4, 5]);
    await expect(transport.picture('b'.repeat(64))).rejects.toMatchObject({ code: 'not_found' });
    await vi.waitFor(() => expect(streams).toHaveLength(1));
    streams[0]?.send(': ready\n\ndata: {"name":"calls.changed","payload":{"id":4}}\n\ndata: {"name":"toString","payload":1}\n\n');
    await vi.waitFor(() => expect(heard).toEqual([['calls.changed', { id: 4 }]]));
    stop();
    close();
  });

  it('lets what a page says while it is left outlive the page, where it is short enough for that', async () => {
    const { transport, kept, host, close } = setUp();
    await transport.call('settings.write', { name: 'a', value: '1' });
    host.leaving = true;
    await transport.call('settings.write', { name: 'a', value: '2' });
    await transport.call('settings.write', { name: 'a', value: 'x'.repeat(30_000) });
    expect(kept).toEqual([false, true, false]);
    close();
  });

  it('says that the host is gone, tries again by itself and goes on', async () => {
    const { connection, streams, planned, host, states, transport, close } = setUp();
    await vi.waitFor(() => expect(streams).toHaveLength(1));
    host.up = false;
    streams[0]?.end();
    await vi.waitFor(() => expect(connection.get().state).toBe('lost'));
    expect(planned.map(({ after }) => after)).toEqual([500]);
    expect(connection.get()).toEqual({ state: 'lost', attempt: 1, nextTryAt: 1_500 });
    const reply = await transport.call('app.info', {});
    expect(reply.ok).toBe(false);
    planned[0]?.run();
    await vi.waitFor(() => expect(planned).toHaveLength(2));
    expect(planned[1]?.after).toBe(1_000);
    host.up = true;
    connection.retry();
    await vi.waitFor(() => expect(connection.get().state).toBe('open'));
    expect(planned[1]?.off).toBe(true);
    expect(streams).toHaveLength(2);
    expect(states.at(-1)).toBe('open');
    close();
  });

  it('does not repeat a call that failed, and notices by it that the line is broken', async () => {
    const { connection, streams, host, transport, calls, close } = setUp();
    await vi.waitFor(() => expect(streams).toHaveLength(1));
    host.up = false;
    const reply = await transport.call('calls.send', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(connection.get().state).toBe('lost');
    expect(calls).toEqual([]);
    close();
  });

  it('ends for good where the session is not known any more', async () => {
    const { connection, streams, host, transport, planned, close } = setUp();
    await vi.waitFor(() => expect(streams).toHaveLength(1));
    host.admits = false;
    expect(await transport.call('app.info', {})).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(connection.get().state).toBe('ended');
    expect(planned).toEqual([]);
    close();
  });
});

describe('retryDelay', () => {
  it('grows to five seconds and stays there', () => {
    expect([1, 2, 3, 4, 5, 6, 40].map(retryDelay)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });
});
