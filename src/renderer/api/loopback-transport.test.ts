import { afterEach, describe, expect, it, vi } from 'vitest';
import { listenToFaults } from '#renderer/faults/faults.ts';
import { retryDelay } from './connection.ts';
import { createLoopbackTransport, type LineSocket, type LoopbackTransport } from './loopback-transport.ts';

const made: LoopbackTransport[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.close();
});

/** A line whose other end is moved by hand. */
interface HandSocket extends LineSocket {
  readonly protocols: string[];
  readonly sent: string[];
  opens(): void;
  says(text: string): void;
  breaks(): void;
}

/** A host that is moved by hand, and a clock that runs by hand. */
function setUp() {
  const sockets: HandSocket[] = [];
  const planned: { run: () => void; after: number; off: boolean }[] = [];
  const posted: { body: string; keepalive: boolean | undefined }[] = [];
  const kept: string[] = [];
  const host = { up: true, admits: true, room: true, leaving: false, visible: true, now: 1_000 };
  let seen = () => {};
  const loopback = createLoopbackTransport({
    session: 'secret',
    keepSession: (session) => kept.push(session),
    origin: 'http://127.0.0.1:4000',
    now: () => host.now,
    leaving: () => host.leaving,
    visible: () => host.visible,
    onVisible: (listener) => (seen = listener),
    later(run, after) {
      const plan = { run, after, off: false };
      planned.push(plan);
      return () => (plan.off = true);
    },
    openSocket(protocols) {
      const sent: string[] = [];
      const socket: HandSocket = {
        protocols,
        sent,
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text) => void sent.push(text as string),
        close: () => undefined,
        opens: () => (socket.onopen as (() => void) | null)?.(),
        says: (data) => (socket.onmessage as ((event: { data: string }) => void) | null)?.({ data }),
        breaks: () => (socket.onclose as (() => void) | null)?.(),
      };
      sockets.push(socket);
      return socket;
    },
    async fetch(path, init) {
      if (!host.up) throw new TypeError('Failed to fetch');
      if (path === '/session' && init?.method === 'POST') {
        if (!host.room) return Response.json({}, { status: 503 });
        const { token } = JSON.parse(init.body as string) as { token: string };
        host.admits = token === 'T'.repeat(43);
        return host.admits ? Response.json({ session: 'another' }) : Response.json({}, { status: 401 });
      }
      if (!host.admits) return Response.json({ ok: false, error: { code: 'refused', message: 'no' } }, { status: 401 });
      expect(new Headers(init?.headers).get('x-croupier-session')).toBe(kept.at(-1) ?? 'secret');
      if (path === '/session') return Response.json({});
      if (path === '/call') {
        posted.push({ body: init?.body as string, keepalive: init?.keepalive });
        return Response.json({ ok: true, value: {} });
      }
      if (path === `/picture/${'a'.repeat(64)}`) return new Response(new Uint8Array([4, 5]));
      if (path.startsWith('/picture/')) return new Response(null, { status: 404 });
      return new Response(new Uint8Array([1, 2, 3]));
    },
  });
  made.push(loopback);
  const states: string[] = [];
  loopback.connection.watch(({ state }) => states.push(state));
  const socket = () => sockets.at(-1) as HandSocket;
  const due = () => planned.filter(({ off }) => !off).at(-1);
  /** Runs the next planned work, once its time has come. */
  const pass = (extra = 0) => {
    const plan = due();
    if (plan === undefined) throw new Error('Nothing is planned.');
    plan.off = true;
    host.now += plan.after + extra;
    plan.run();
    return plan.after;
  };
  return { ...loopback, sockets, socket, planned, due, pass, posted, kept, host, states, look: () => seen() };
}

const asked = { name: 'environments.list', input: {} };

describe('loopback transport', () => {
  it('carries calls, replies in any order and events over one line, with the session beside the protocol', async () => {
    const { transport, socket, sockets } = setUp();
    expect(socket().protocols).toEqual(['croupier.line', 'croupier.session.secret']);
    const heard: unknown[] = [];
    const stop = transport.subscribe((name, payload) => heard.push([name, payload]));
    const early = transport.call('environments.list', {});
    expect(socket().sent).toEqual([]);
    socket().opens();
    const late = transport.call('app.info', {});
    expect(socket().sent).toEqual([`1 ${JSON.stringify(asked)}`, '2 {"name":"app.info","input":{}}']);
    socket().says('2 {"ok":true,"value":{"version":"1"}}');
    socket().says('1 {"ok":true,"value":{"environments":[]}}');
    expect(await Promise.all([early, late])).toEqual([
      { ok: true, value: { environments: [] } },
      { ok: true, value: { version: '1' } },
    ]);
    socket().says('{"name":"calls.changed","payload":{"id":4}}');
    socket().says('{"name":"toString","payload":1}');
    expect(heard).toEqual([['calls.changed', { id: 4 }]]);
    stop();
    expect(sockets).toHaveLength(1);
  });

  it('ends a call whose reply is not JSON with a fault, and goes on', async () => {
    const { transport, socket, connection } = setUp();
    socket().opens();
    const broken = transport.call('app.info', {});
    const whole = transport.call('app.info', {});
    socket().says('1 {"ok":true,');
    await expect(broken).rejects.toBeInstanceOf(SyntaxError);
    socket().says('2 {"ok":true,"value":{}}');
    expect(await whole).toEqual({ ok: true, value: {} });
    expect(connection.get().state).toBe('open');
  });

  it('tells the other listeners where one throws', () => {
    const { transport, socket } = setUp();
    const reported: unknown[] = [];
    const stop = listenToFaults((error) => void reported.push(error));
    const heard: string[] = [];
    const fault = new TypeError('planted');
    transport.subscribe(() => {
      throw fault;
    });
    transport.subscribe((name) => void heard.push(name));
    socket().opens();
    socket().says('{"name":"calls.changed","payload":{"id":4}}');
    stop();
    expect([heard, reported]).toEqual([['calls.changed'], [fault]]);
  });

  it('fetches bytes', async () => {
    const { transport } = setUp();
    expect([...(await transport.body(7))]).toEqual([1, 2, 3]);
    expect([...(await transport.picture('a'.repeat(64)))]).toEqual([4, 5]);
    await expect(transport.picture('b'.repeat(64))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lets what a page says while it is left outlive the page, where it is short enough for that', async () => {
    const { transport, posted, socket, host } = setUp();
    socket().opens();
    void transport.call('settings.write', { name: 'a', value: '1' });
    host.leaving = true;
    await transport.call('settings.write', { name: 'a', value: '2' });
    void transport.call('settings.write', { name: 'a', value: 'x'.repeat(30_000) });
    expect(posted).toEqual([{ body: '{"name":"settings.write","input":{"name":"a","value":"2"}}', keepalive: true }]);
    expect(socket().sent).toHaveLength(2);
  });

  it('sends nothing that is larger than the host takes', async () => {
    const { transport, socket } = setUp();
    socket().opens();
    const reply = await transport.call('collections.import', { text: '\u00e9'.repeat(9_000_000) });
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining('16,000,000 bytes') as string },
    });
    expect(socket().sent).toEqual([]);
  });

  it('says that the host is gone, tries again by itself and goes on', async () => {
    const { connection, sockets, socket, planned, host, states, transport } = setUp();
    socket().opens();
    host.up = false;
    socket().breaks();
    expect(connection.get()).toEqual({ state: 'lost', attempt: 1, nextTryAt: 1_500 });
    expect(await transport.call('app.info', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
    planned.at(-1)?.run();
    await vi.waitFor(() => expect(connection.get()).toMatchObject({ attempt: 2 }));
    expect(planned.at(-1)?.after).toBe(1_000);
    host.up = true;
    connection.retry();
    await vi.waitFor(() => expect(sockets).toHaveLength(2));
    expect(connection.get().state).toBe('lost');
    socket().opens();
    expect(connection.get().state).toBe('open');
    expect(states.at(-1)).toBe('open');
  });

  it('repeats no call that a broken line leaves open, and says of it that it may have been done', async () => {
    const { socket, sockets, transport, planned } = setUp();
    socket().opens();
    const reply = transport.call('calls.send', {});
    socket().breaks();
    expect(await reply).toMatchObject({ ok: false, error: { message: expect.stringContaining('may have been done') as string } });
    planned.at(-1)?.run();
    await vi.waitFor(() => expect(sockets).toHaveLength(2));
    socket().opens();
    expect(socket().sent).toEqual([]);
  });

  it('keeps a cancel for the next line, whether or not it had left over the last', async () => {
    const { socket, sockets, transport, planned } = setUp();
    socket().opens();
    const left = transport.call('calls.cancel', { ticket: 's' });
    socket().breaks();
    const cancelled = transport.call('calls.cancel', { ticket: 't' });
    planned.at(-1)?.run();
    await vi.waitFor(() => expect(sockets).toHaveLength(2));
    socket().opens();
    expect(socket().sent).toEqual([
      '1 {"name":"calls.cancel","input":{"ticket":"s"}}',
      '2 {"name":"calls.cancel","input":{"ticket":"t"}}',
    ]);
    socket().says('2 {"ok":true,"value":{"cancelled":true}}');
    socket().says('1 {"ok":true,"value":{"cancelled":false}}');
    expect(await Promise.all([left, cancelled])).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it('names a host that says nothing within five seconds, and takes it back when it does', () => {
    const { connection, socket, pass, states } = setUp();
    socket().opens();
    // Rest, patience, a second look.
    const waits = [pass(), pass()];
    expect(socket().sent).toEqual(['beat']);
    expect(connection.get().state).toBe('open');
    waits.push(pass());
    expect(connection.get().state).toBe('silent');
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(5_000);
    socket().says('beat');
    expect(states).toEqual(['open', 'silent', 'open']);
  });

  it('asks once more where it was the page that stood still, and asks nothing while nobody looks', () => {
    const { connection, socket, pass, due, host, look } = setUp();
    socket().opens();
    pass();
    // Asleep for an hour: the timer runs before the received messages are read.
    pass(3_600_000);
    expect(connection.get().state).toBe('open');
    expect(socket().sent).toEqual(['beat', 'beat']);
    host.visible = false;
    socket().says('beat');
    expect(due()).toBeUndefined();
    host.visible = true;
    look();
    expect(socket().sent).toHaveLength(3);
  });

  it('ends where the session is not known any more, and goes on with another one', async () => {
    const { connection, socket, sockets, planned, host, transport, kept } = setUp();
    socket().opens();
    host.admits = false;
    socket().breaks();
    planned.at(-1)?.run();
    await vi.waitFor(() => expect(connection.get().state).toBe('ended'));
    expect(await transport.call('app.info', {})).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await connection.rejoin('hello')).toContain('not a Croupier address');
    expect(await connection.rejoin(`http://127.0.0.1:4001/#${'T'.repeat(43)}`)).toContain('127.0.0.1:4001');
    expect(await connection.rejoin(`http://127.0.0.1:4000/#${'U'.repeat(43)}`)).toContain('already used');
    host.room = false;
    expect(await connection.rejoin('T'.repeat(43))).toContain('Close one');
    host.room = true;
    expect(kept).toEqual([]);
    expect(await connection.rejoin(` http://127.0.0.1:4000/#${'T'.repeat(43)}\n`)).toBeNull();
    expect(kept).toEqual(['another']);
    expect(sockets).toHaveLength(2);
    expect(socket().protocols).toContain('croupier.session.another');
    socket().opens();
    expect(connection.get().state).toBe('open');
  });
});

describe('retryDelay', () => {
  it('grows to five seconds and stays there', () => {
    expect([1, 2, 3, 4, 5, 6, 40].map(retryDelay)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });
});
