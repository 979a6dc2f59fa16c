import { describe, expect, it } from 'vitest';
import type { LaunchEntry } from '#shared/ipc/index.ts';
import type { GameViewEvent } from '../host/host.ts';
import { isExit } from './live-launches.ts';
import { framingProblems } from './framing-headers.ts';
import { createObserver } from './observe.ts';
import { createLaunchRecord, type Note } from './record.ts';

describe('arrival at exitURL', () => {
  const exit = 'https://casino.example/lobby?a=1';
  it.each([
    exit,
    'https://casino.example/lobby/?a=1',
    'https://casino.example/lobby?a=1&gameId=7',
    'https://casino.example/lobby?x=2&a=1#top',
    'HTTPS://CASINO.example:443/lobby?a=1',
  ])('is %s', (address) => expect(isExit(address, exit)).toBe(true));
  it.each([
    'https://casino.example/lobby',
    'https://casino.example/lobby?a=2',
    'http://casino.example/lobby?a=1',
    'https://casino.example:444/lobby?a=1',
    'https://casino.example/lobby/more?a=1',
    'https://casino.example.evil.test/lobby?a=1',
    'https://game.example/?exit=https://casino.example/lobby?a=1',
    'nothing',
  ])('is not %s', (address) => expect(isExit(address, exit)).toBe(false));
  it('is nowhere where no exit was asked for', () => expect(isExit('https://casino.example/', '')).toBe(false));
});

describe('headers that forbid embedding', () => {
  it.each<[string, [string, string][], number]>([
    ['none', [['content-type', 'text/html']], 0],
    ['X-Frame-Options DENY', [['X-Frame-Options', 'DENY']], 1],
    ['X-Frame-Options sameorigin', [['x-frame-options', 'sameorigin']], 1],
    ['an X-Frame-Options that browsers ignore', [['x-frame-options', 'ALLOW-FROM https://a.example']], 0],
    ['frame-ancestors none', [['Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'"]], 1],
    ['frame-ancestors with names', [['content-security-policy', 'frame-ancestors https://casino.example']], 1],
    ['an empty frame-ancestors', [['content-security-policy', 'frame-ancestors']], 1],
    ['frame-ancestors *', [['content-security-policy', 'frame-ancestors *']], 0],
    ['frame-ancestors https:', [['content-security-policy', 'frame-ancestors https:']], 0],
    [
      'frame-ancestors over X-Frame-Options',
      [
        ['content-security-policy', 'frame-ancestors *'],
        ['x-frame-options', 'DENY'],
      ],
      0,
    ],
    [
      'two policies',
      [
        ['content-security-policy', 'frame-ancestors *'],
        ['content-security-policy', "frame-ancestors 'self'"],
      ],
      1,
    ],
    ['only a report', [['content-security-policy-report-only', "frame-ancestors 'none'"]], 0],
  ])('%s', (_, headers, count) => expect(framingProblems(headers)).toHaveLength(count));

  it('leave the origins that they name, or nobody', () => {
    const allows = (value: string) => framingProblems([['content-security-policy', `frame-ancestors ${value}`]])[0]?.allows;
    expect(["'none'", "'self'", 'https://casino.example', "'self' https://casino.example"].map(allows)).toEqual([
      'nobody',
      'nobody',
      'some',
      'some',
    ]);
    expect(framingProblems([['x-frame-options', 'SAMEORIGIN']])[0]?.allows).toBe('nobody');
  });
});

describe('what a host saw', () => {
  function observed(
    events: readonly Exclude<GameViewEvent, { type: 'network' }>[],
    exit = 'https://casino.example/lobby',
  ): Note[] {
    const notes: Note[] = [];
    let left = 0;
    const observe = createObserver({
      note: (note) => notes.push(note),
      arrives: (url) => isExit(url, exit) && ++left > 0,
      traffic: () => undefined,
      follow: () => undefined,
      hasStarted: () => false,
      exited: () => undefined,
      hear: () => undefined,
      now: () => 7,
      askedAgain: () => false,
      changed: () => [],
      embedding: null,
    });
    for (const event of events) observe(event);
    return notes;
  }

  const request = {
    type: 'request',
    url: 'https://g.example/a',
    method: 'GET',
    resourceType: 'xhr',
    status: 200,
    error: null,
    ms: 20,
  } as const;

  it('becomes entries in the tab they belong to', () => {
    const url = 'https://g.example/x?y=1';
    const notes = observed([
      { type: 'navigation', url, main: true },
      { type: 'redirect', url, main: true },
      { type: 'arrived', url, status: 200 },
      request,
      { type: 'loaded' },
      { type: 'console', level: 'warning', text: 'careful', source: 'https://g.example/a.js', line: 7 },
      { ...request, status: 404 },
      { ...request, status: null, error: 'net::ERR_CONNECTION_RESET' },
      { ...request, ms: 3_001 },
      { type: 'headers', url, status: 200, method: 'GET', headers: [['x-frame-options', 'DENY']] },
      { type: 'dialog', dialog: 'alert', text: 'hello' },
      { type: 'permission', permission: 'geolocation', granted: false },
      { type: 'download', url, name: 'a.exe' },
      { type: 'window', url },
      { type: 'refused', url: 'https://127.0.0.1:5900/', message: '127.0.0.1 is an address of this computer.', local: true },
      { type: 'crash', reason: 'oom' },
    ]);
    expect(notes.map(({ kind, group, level }) => `${kind} ${group} ${level}`)).toEqual([
      'navigation navigation info',
      'redirect navigation info',
      'navigation navigation info',
      'loaded navigation info',
      'console console warning',
      'request requests error',
      'request requests error',
      'request requests info',
      'request requests warning',
      'framing navigation warning',
      'dialog blocked blocked',
      'permission blocked blocked',
      'download blocked blocked',
      'window blocked blocked',
      'address blocked blocked',
      'crash other error',
    ]);
    expect(notes.map(({ title }) => title)).toContain('Blocked: request to 127.0.0.1:5900');
    expect(notes[3]?.detail).toBe('1 request, slowest 20 ms');
  });

  const socket = { type: 'socket', url: 'wss://g.example/live?t=1', error: '' } as const;
  const url = 'vscode://file/etc/passwd';
  it.each<[string, Parameters<typeof observed>[0], (string | undefined)[]]>([
    [
      'a request that succeeds after all',
      [
        { ...request, status: 500 },
        { ...request, url: `${request.url}?again` },
      ],
      ['error status', 'succeeded after all'],
    ],
    [
      'a WebSocket that fails',
      [
        { ...socket, step: 'failed', error: 'refused' },
        { ...socket, step: 'ended' },
      ],
      ['failed'],
    ],
    [
      'one that was refused, and then fails and ends',
      [
        {
          type: 'refused',
          url: 'https://g.example/',
          message: 'g.example leads to 127.0.0.1, an address of this computer.',
          local: true,
        },
        { ...socket, step: 'failed', error: 'Establishing a tunnel via proxy server failed.' },
        { ...socket, step: 'ended' },
      ],
      ['blocked'],
    ],
    [
      'one that ends and opens again',
      [
        { ...socket, step: 'opened' },
        { ...socket, step: 'ended' },
        { ...socket, step: 'opened' },
      ],
      ['socket ended', 'succeeded after all'],
    ],
    [
      'a beacon, an icon and a WebSocket of which Chromium reports the request',
      [
        { ...request, resourceType: 'ping', status: 404 },
        { ...request, url: 'https://g.example/favicon.ico', status: 404 },
        { ...request, resourceType: 'webSocket', status: null, error: 'net::ERR_FAILED' },
      ],
      [undefined, undefined, undefined],
    ],
    [
      'an uncaught error, and a text of the game that looks like one',
      [
        { type: 'uncaught', text: 'Error: lost', source: 'https://g.example/a.js', line: 3 },
        { type: 'console', level: 'error', text: 'Uncaught Error: logged', source: '', line: 0 },
      ],
      ['uncaught error', undefined],
    ],
    [
      'what a browser asks for or refuses',
      [
        { type: 'dialog', dialog: 'alert', text: 'hello' },
        { type: 'permission', permission: 'geolocation', granted: false },
        { type: 'download', url, name: 'a.exe' },
        { type: 'refused', url, message: 'x', local: false },
        { type: 'gone' },
      ],
      ['dialog', 'permission', 'download', 'protocol', 'closed itself'],
    ],
  ])('tells the rules of %s', (_, events, expected) => {
    const told = observed(events).map(({ signal }) => (signal?.type === 'request' ? signal.outcome : signal?.type));
    expect(told).toEqual(expected);
  });

  it('says that a response without content brings no page, where there is none yet', () => {
    const empty = { type: 'headers', url: request.url, status: 204, method: 'GET', headers: [] } as const;
    expect(observed([empty]).map(({ title, signal }) => [title, signal?.type])).toEqual([
      ['No page: HTTP 204 has no content', 'not loaded'],
    ]);
    expect(observed([{ type: 'arrived', url: request.url, status: 200 }, empty])).toHaveLength(1);
  });

  it('names another program’s URL with its scheme', () => {
    expect(observed([{ type: 'refused', url, message: 'x', local: false }])[0]?.title).toBe(`Refused: ${url}`);
  });

  it('becomes entries that stop nothing: what is given, full screen, sound, and when the game was hidden and shown again', () => {
    const notes = observed([
      { type: 'permission', permission: 'fullscreen', granted: true },
      { type: 'fullscreen', full: true },
      { type: 'fullscreen', full: false },
      { type: 'sound', muted: true },
      { type: 'sound', muted: false },
      { type: 'sight', seen: false, window: false },
      { type: 'sight', seen: true, window: false },
      { type: 'sight', seen: false, window: true },
    ]);
    expect(notes.map(({ group, level }) => `${group} ${level}`)).toEqual(Array.from({ length: 8 }, () => 'other info'));
    expect(notes.map(({ title }) => title)).toEqual([
      'Permission granted: fullscreen',
      'The game entered full screen',
      'The game left full screen',
      'Muted in Croupier',
      'No longer muted in Croupier',
      'The game is hidden',
      'The game is shown again',
      'The game is hidden',
    ]);
    expect(notes[5]?.detail).toContain('a dialog or another screen, or has no room for it');
    expect(notes[7]?.detail).toContain('window is minimised or hidden');
  });

  it('says what happened and nothing else: nobody answers an empty page, and not every end of a process is a crash', () => {
    const [blank, game] = ['about:blank', 'https://g.example/x'];
    const titles = (events: Parameters<typeof observed>[0]) => observed(events).map(({ title }) => title);
    const load = (url: string, status: number): Parameters<typeof observed>[0] => [
      { type: 'navigation', url, main: true },
      { type: 'arrived', url, status },
      { type: 'loaded' },
    ];
    expect(titles([...load(game, 200), ...load(blank, -1), ...load(game, 200)])).toEqual([
      'Going to g.example/x',
      'g.example/x answered HTTP 200',
      'Loaded',
      'Going to about:blank',
      'Arrived at about:blank',
      'Loaded',
      'Going to g.example/x',
      'g.example/x answered HTTP 200',
      'Loaded again',
    ]);
    expect(
      titles([
        { type: 'crash', reason: 'crashed' },
        { type: 'crash', reason: 'killed' },
      ]),
    ).toEqual(['The game page crashed', "The game page's process was killed"]);
    expect(
      titles([
        { type: 'dialog', dialog: 'file', text: '' },
        { type: 'note', message: 'So it is.' },
      ]),
    ).toEqual(['File picker was not shown', 'So it is.']);
    // Nobody frames the page that the game leaves to.
    const headers = [['x-frame-options', 'DENY']] as const;
    expect(titles([{ type: 'headers', url: 'https://casino.example/lobby', status: 200, method: 'GET', headers }])).toEqual([]);
  });

  it('counts the requests of each page by itself', () => {
    const to = { type: 'navigation', url: request.url, main: true } as const;
    const details = observed([to, request, request, { type: 'loaded' }, to, request, { type: 'loaded' }])
      .filter(({ kind }) => kind === 'loaded')
      .map(({ detail }) => detail);
    expect(details).toEqual(['2 requests, slowest 20 ms', '1 request, slowest 20 ms']);
  });

  it('says nothing of requests that are well, of frames that move, and twice of what was refused', () => {
    expect(
      observed([
        request,
        { ...request, ms: 3_000 },
        { type: 'navigation', url: 'https://ads.example/', main: false },
        { ...request, status: null, error: 'net::ERR_BLOCKED_BY_CLIENT' },
      ]),
    ).toEqual([]);
  });

  it('leaves the exit to whoever notes it, also where its page is not shown', () => {
    const url = 'https://casino.example/lobby?from=game';
    expect(
      observed([
        { type: 'navigation', url, main: true },
        { type: 'refused', url, message: 'x', local: false },
      ]),
    ).toEqual([]);
  });
});

describe('a record', () => {
  function recordWith(secrets: readonly string[] = []) {
    const entries: LaunchEntry[] = [];
    const record = createLaunchRecord({ secrets, elapsed: () => 5, onEntries: (added) => entries.push(...added) });
    return { record, entries };
  }
  const note: Note = { kind: 'console', group: 'console', level: 'info', title: 'Console', detail: '' };

  it('masks a token in every form, also across the place where a text is cut', () => {
    const token = 'tok-5b1e07/ä=';
    const { record, entries } = recordWith([token]);
    for (const form of [
      token,
      encodeURIComponent(token),
      JSON.stringify({ token }),
      Buffer.from(`x${token}x`).toString('base64'),
      Buffer.from(token).toString('hex'),
      `${'a'.repeat(1_995)}${token}`,
      `https://g.example/?externalToken=${encodeURIComponent(token)}&replayToken=other`,
    ])
      record.add({ ...note, detail: form });
    record.flush();
    const text = JSON.stringify(entries);
    for (const part of ['5b1e07', 'tok-5', Buffer.from(token).toString('hex'), 'replayToken=other'])
      expect(text).not.toContain(part);
    for (const { detail } of entries) expect(detail.length).toBeLessThanOrEqual(2_000);
  });

  it('of a game that logs without end keeps its errors, its requests and its wallet calls, and counts what it left out', () => {
    const { record, entries } = recordWith();
    for (let index = 0; index < 20_000; index += 1) record.add({ ...note, detail: `line ${index}` });
    record.add({ ...note, level: 'error', title: 'Console error', detail: 'Uncaught Error: lost' });
    record.add({ ...note, kind: 'request', group: 'requests', level: 'error', title: 'Request answered HTTP 500' });
    record.add({ ...note, kind: 'wallet', group: 'other', title: '/bet 1.50 EUR' });
    record.add({ ...note, kind: 'exit', group: 'navigation', title: 'Left through exitURL' });
    record.flush();
    expect(record.dropped).toBe(19_000);
    expect(entries.slice(1_000).map(({ kind, signal }) => signal?.type ?? kind)).toEqual([
      'many lines',
      'console',
      'request',
      'wallet',
      'exit',
    ]);
    expect(entries.at(-1)).toMatchObject({ seq: 1_005, at: 5 });
  });

  it('folds equal lines into one with a count, and none whose order tells something', () => {
    const { record, entries } = recordWith();
    record.add(note);
    record.flush();
    for (let index = 0; index < 2; index += 1) record.add(note);
    record.add({ ...note, level: 'error' });
    for (let index = 0; index < 2; index += 1) record.add({ ...note, kind: 'wallet' });
    record.flush();
    expect(entries.map(({ seq, count }) => `${seq} ${count}`)).toEqual(['1 1', '1 3', '2 1', '3 1', '4 1']);
    // The lines of another opening are its own.
    record.add({ ...note, kind: 'opened' });
    record.add(note);
    record.flush();
    expect(entries.at(-1)).toMatchObject({ seq: 6, count: 1 });
  });
});
