import { describe, expect, it } from 'vitest';
import type { Launch, LaunchEntry, LaunchRules } from '../ipc/index.ts';
import type { LaunchSignal } from '../model/launch-verdict.ts';
import { judgeLaunch, judgeOldLaunch } from './judge.ts';
import { ruleIds } from './rules.ts';
import type { JudgedLaunch } from './seen.ts';

const launch: JudgedLaunch = {
  source: 'launcher',
  call: { operation: 'getLauncherURL', code: 0 } as Launch['call'],
  gameId: '1042',
  gameName: 'Firefly Lagoon',
  gameMode: 'real',
  lang: 'en',
  exitURL: 'https://casino.example/lobby',
  url: 'https://games.example/firefly',
  problem: null,
  checks: [{ rule: 'equal', passed: true, message: 'Equal to the request' }],
  parameters: [],
};

const page: LaunchSignal = {
  type: 'page',
  lang: 'en',
  title: 'Firefly Lagoon',
  titled: ['1042'],
  urlGameId: '1042',
  urlGameMode: 'real',
  urlLang: 'en',
};
const opened = { type: 'opened', host: 'view', wallet: true } as const;
const info = { type: 'wallet', method: '/playerInfo', alone: true } as const;
const drawn = { type: 'picture', content: 'enough' } as const;
const ready = { type: 'ready', after: 1_900, by: 'sign', firstByte: 300, firstPaint: 600, load: 1_400 } as const;
const watched = { type: 'watched' } as const;
/** The record of a game that is well. */
const well: readonly LaunchSignal[] = [opened, { type: 'document', status: 200 }, info, page, ready, drawn, watched];

/** A record of these signals, one after the other; `titles` by type. */
function trace(signals: readonly LaunchSignal[]): LaunchEntry[] {
  return signals.map((signal, at) => ({
    seq: at + 1,
    at: at * 100,
    count: 1,
    lastAt: at * 100,
    kind: 'note',
    group: 'other',
    level: 'info',
    title: `entry of ${signal.type}`,
    detail: '',
    signal,
  }));
}
const rules: LaunchRules = { readyWithin: 30, slowAfter: 10, noise: [], readySigns: [], errorTexts: [] };
const judge = (signals: readonly LaunchSignal[], change: Partial<JudgedLaunch> = {}, noise: string[] = []) =>
  judgeLaunch({ ...launch, ...change }, trace(signals), { ...rules, noise });
const found = (verdict: ReturnType<typeof judge>, state: string) =>
  verdict.results.filter((result) => result.state === state).map(({ rule }) => rule);
const ruleOf = (verdict: ReturnType<typeof judge>, id: string) => verdict.results.find(({ rule }) => rule === id);

type Planted = readonly ['failed' | 'to check' | 'unfinished', string, ...LaunchSignal[]];
const at = (url: string, ...changed: { name: string; asked: string; got: string | null }[]) =>
  ({ type: 'document', status: 200, place: url.replace('https://', ''), changed }) as const;
const busyOnce = [
  { type: 'hang', over: false },
  { type: 'hang', over: true },
] as const;
const reloads = Array.from({ length: 3 }, () => at('https://games.example/'));

/** Records that make each rule fail, or be to check, where nothing else is wrong. A rule without one does not compile. */
const planted: Readonly<
  Record<Exclude<(typeof ruleIds)[number], 'code' | 'url' | 'opened' | 'sight' | 'origin' | 'wallet'>, Planted[]>
> = {
  busy: [['unfinished', 'a computer without time', { type: 'busy', ms: 3_200 }]],
  document: [
    ['failed', 'a 404', { type: 'document', status: 404 }],
    ['failed', 'a main document that does not load', { type: 'not loaded' }],
  ],
  redirects: [['failed', 'a redirect to http', { type: 'redirect', secure: false }]],
  arrival: [
    ['failed', 'another partner', at('https://games.example/', { name: 'partnerId', asked: '2', got: '99' })],
    ['to check', 'a lost parameter', at('https://games.example/', { name: 'platform', asked: '1', got: null })],
  ],
  framing: [
    ['failed', 'a header that forbids embedding', { type: 'framing', allows: 'nobody' }],
    ['to check', 'a header that names who may embed it', { type: 'framing', allows: 'some' }],
  ],
  'mixed-content': [['failed', 'mixed content', { type: 'mixed content' }, { type: 'uncaught error' }]],
  policy: [
    ['failed', 'a script that its policy stops', { type: 'policy', code: true }, { type: 'uncaught error' }],
    ['to check', 'a picture that its policy stops', { type: 'policy', code: false }],
  ],
  blocked: [['failed', 'a blocked request', { type: 'blocked' }, { type: 'uncaught error' }]],
  protocol: [['to check', 'a URL for another program', { type: 'protocol' }]],
  download: [['to check', 'a download', { type: 'download' }]],
  requests: [
    ['failed', 'a failed request', { type: 'request', outcome: 'failed' }],
    ['to check', 'a WebSocket that ended', { type: 'request', outcome: 'socket ended' }],
  ],
  dialogs: [
    ['to check', 'a dialog', { type: 'dialog' }],
    [
      'failed',
      'dialogs without end',
      ...Array.from({ length: 21 }, () => ({ type: 'dialog' }) as const),
      { type: 'hang', over: false },
    ],
  ],
  hang: [
    ['failed', 'a hang', { type: 'hang', over: false }],
    ['to check', 'a page that is busy again and again', ...busyOnce, ...busyOnce],
  ],
  crash: [['failed', 'a crash', { type: 'crash' }]],
  reloads: [['failed', 'a page that reloads by itself', at('https://games.example/'), ...reloads]],
  closes: [['failed', 'a page that closes itself', { type: 'closed itself' }, { type: 'closed' }]],
  webgl: [['unfinished', 'a computer without WebGL', { type: 'no webgl' }, { type: 'webgl wanted' }, { type: 'uncaught error' }]],
  context: [
    ['failed', 'a lost WebGL context', { type: 'context lost', over: false }, { type: 'picture', content: 'nothing' }],
    ['to check', 'one that came back', { type: 'context lost', over: false }, { type: 'context lost', over: true }],
  ],
  script: [['failed', 'an uncaught error', { type: 'uncaught error' }]],
  'error-text': [
    ['failed', 'the text of an error card', { type: 'error text', over: false }],
    ['to check', 'one that went away', { type: 'error text', over: false }, { type: 'error text', over: true }],
  ],
  picture: [
    ['failed', 'a blank picture', { type: 'picture', content: 'nothing' }],
    ['to check', 'a picture that shows little', { type: 'picture', content: 'little' }],
  ],
  game: [
    ['failed', 'another game in the page’s URL', { ...page, urlGameId: '1043' }],
    ['failed', 'the title of another game', { ...page, title: 'Lucky Compass', titled: ['1001'] }],
    ['to check', 'a title without a word of the name', { ...page, title: 'Golden Orchard', titled: [] }],
  ],
  language: [['failed', 'another language', { ...page, lang: 'de' }]],
  mode: [['failed', 'another mode', { ...page, urlGameMode: 'fun' }]],
  permission: [['to check', 'a refused permission', { type: 'permission' }]],
  window: [['to check', 'a new window', { type: 'window' }]],
  log: [['to check', 'a log without end', { type: 'many lines' }]],
  ready: [['to check', 'a game that is slow', { ...ready, after: 10_001 }]],
  loading: [['to check', 'a page that says that it loads', { type: 'loading text', over: false }]],
  playable: [['to check', 'a game of which nobody knows that it can be played', { ...ready, by: 'drawn' }]],
  exit: [
    ['failed', 'an exit that did nothing', { type: 'exit pressed', followed: 'nothing' }],
    ['to check', 'an exit that only posts a message', { type: 'exit pressed', followed: 'message' }],
    ['to check', 'a page that goes elsewhere', { type: 'elsewhere' }],
  ],
};

describe('a launch', () => {
  it('is passed where every rule that decides was observed and none has anything to say', () => {
    const verdict = judge(well);
    expect(verdict.state).toBe('passed');
    // Nothing is said of what did not happen.
    const silent = ruleIds.filter((id) => ruleOf(verdict, id) === undefined);
    expect(silent).toEqual('sight origin busy redirects arrival webgl context loading'.split(' '));
    expect(found(verdict, 'failed')).toEqual([]);
    expect(found(verdict, 'to check')).toEqual([]);
    // Nobody left the game.
    expect(found(verdict, 'not observed')).toEqual(['exit']);
  });

  it.each<[string, Partial<JudgedLaunch>, string]>([
    ['another code', { call: { operation: 'getLauncherURL', code: 8 } as Launch['call'], url: null, problem: 'x' }, 'code'],
    ['no URL', { url: null, problem: 'The response has no launcherURL.' }, 'url'],
    ['another game in the URL', { checks: [{ rule: 'equal', passed: false, message: 'Not as requested: gameId' }] }, 'url'],
    ['a URL that Croupier does not open', { problem: '10.0.0.1 is an address on a private network.' }, 'opened'],
  ])('fails before it is opened for %s', (_, change, rule) => {
    const verdict = judge([], change);
    expect(verdict.state).toBe('failed');
    expect(verdict.results[0]).toMatchObject({ rule, state: 'failed' });
  });

  it('is unfinished before it is opened, while it is awaited, and if Croupier could not open it', () => {
    expect(judge([]).state).toBe('unfinished');
    expect(judge([opened, { type: 'document', status: 200 }]).state).toBe('unfinished');
    const full = judge([{ type: 'unopened', because: 'croupier' }]);
    expect(full.state).toBe('unfinished');
    expect(judge([{ type: 'unopened', because: 'url' }]).state).toBe('failed');
  });

  it('that was closed too early stays unfinished, and says before what', () => {
    const verdict = judge([opened, { type: 'document', status: 200 }, info, { type: 'closed' }]);
    expect(verdict.state).toBe('unfinished');
    expect(ruleOf(verdict, 'ready')).toMatchObject({
      state: 'not observed',
      message: 'The game was closed before it was ready.',
    });
  });

  it.each(
    Object.entries(planted).flatMap(([rule, all]) => all.map(([state, what, ...signals]) => ({ rule, state, what, signals }))),
  )('is $state for $what, by the rule $rule first', ({ rule, state, signals }) => {
    // A game that asks for its player is known to run.
    const without = rule === 'playable' ? ['ready', 'wallet'] : signals.map(({ type }) => (type === 'ready' ? type : ''));
    const gameMode = rule === 'playable' ? null : 'real';
    const real = judge([...well.filter(({ type }) => !without.includes(type)), ...signals], { gameMode });
    expect(real.state).toBe(state);
    const first = state === 'unfinished' ? real.results.find((one) => one.state === 'to check') : real.results[0];
    expect(first).toMatchObject({ rule, state: state === 'unfinished' ? 'to check' : state });
  });

  it('fails where it is never ready, and where the server never answers', () => {
    const late = { type: 'not ready', after: 30_000 } as const;
    const never = judge([opened, { type: 'document', status: 200 }, info, page, drawn, late]);
    expect(found(never, 'failed')).toEqual(['ready']);
    const silent = judge([opened, late], { gameMode: 'fun' });
    expect(silent.results[0]).toMatchObject({ rule: 'document', message: "The server didn't respond within 30.0 s" });
  });

  it('is slow by its own time alone: what this computer lacked does not count', () => {
    const unready = well.filter(({ type }) => type !== 'ready');
    expect(judge([...unready, { ...ready, after: 11_000, busy: 1_500 }]).state).toBe('passed');
    expect(judge([...unready, { type: 'not ready', after: 40_000 }, { type: 'busy', ms: 9_000 }]).state).toBe('unfinished');
    // What no time explains stays.
    expect(judge([...well, { type: 'busy', ms: 9_000 }, { type: 'crash' }]).state).toBe('failed');
  });

  it('that is only drawn is passed where the environment says so, and where the game calls the wallet or plays by itself', () => {
    const only: LaunchSignal[] = [opened, { type: 'document', status: 200 }, page, { ...ready, by: 'drawn' }, drawn, watched];
    const verdict = (signals: readonly LaunchSignal[], readySigns: string[] = [], gameMode: 'real' | null = null) =>
      judgeLaunch({ ...launch, gameMode }, trace(signals), { ...rules, readySigns }).state;
    expect(verdict(only)).toBe('to check');
    expect(verdict(only, ['drawn'])).toBe('passed');
    expect(verdict([...only, info], [], 'real')).toBe('passed');
    expect(verdict([...only, { type: 'plays' }])).toBe('passed');
    // Earlier versions took frames for a sign of life.
    const old: LaunchSignal = { type: 'ready', after: 1_900, firstByte: 300, firstPaint: 600, load: 1_400 };
    expect(verdict([opened, { type: 'document', status: 200 }, page, old, drawn])).toBe('to check');
  });

  it('is not passed before Croupier had watched it for some seconds', () => {
    expect(judge(well.slice(0, -1)).state).toBe('unfinished');
    expect(judge([...well.slice(0, -1), { type: 'closed' }]).state).toBe('unfinished');
  });

  it('whose requests and WebSockets succeed after all is passed, and not where they fail once more', () => {
    const failed = { type: 'request', outcome: 'failed' } as const;
    const mended = { type: 'request', outcome: 'succeeded after all' } as const;
    expect(judge([...well, failed, mended]).state).toBe('passed');
    expect(judge([...well, failed, mended, failed]).state).toBe('failed');
  });

  it('whose page was busy once, or loads again as the user asks for it, is passed', () => {
    expect(judge([...well, ...busyOnce]).state).toBe('passed');
    const again = reloads.flatMap((one) => [{ type: 'asked again' } as const, one]);
    expect(judge([...well, ...again, ...again]).state).toBe('passed');
  });

  it('in whose place a download or another program comes says so', () => {
    for (const type of ['download', 'protocol'] as const) {
      const verdict = judge([opened, { type }, { type: 'not ready', after: 30_000 }]);
      expect(verdict.results[0]).toMatchObject({ rule: 'document', message: `No page: entry of ${type}` });
    }
  });

  it('is judged since it was last opened', () => {
    expect(judge([opened, { type: 'crash' }, ...well]).state).toBe('passed');
  });

  it('is not judged by the page of its exit', () => {
    const verdict = judge([...well, { type: 'exit' }, { type: 'document', status: 404 }, { type: 'uncaught error' }]);
    expect(verdict.state).toBe('passed');
    expect(ruleOf(verdict, 'exit')).toMatchObject({ state: 'passed', message: 'The game left through exitURL' });
  });

  it('names the entry that decided', () => {
    const verdict = judge([...well, { type: 'window' }, { type: 'window' }]);
    expect(verdict.results[0]).toMatchObject({ entry: 8, message: 'entry of window, and 1 more' });
    const late = { type: 'request', outcome: 'answered late' } as const;
    // A response that came late is not missing.
    expect(judge([...well, { type: 'request', outcome: 'unanswered' }, late]).state).toBe('passed');
  });
});

it('known noise makes no launch fail, but hides no code and no crash', () => {
  const noisy: LaunchSignal[] = [...well, { type: 'uncaught error' }, { type: 'blocked' }];
  expect(judge(noisy, {}, ['of uncaught', 'of blocked']).state).toBe('passed');
  expect(found(judge(noisy, {}, ['of uncaught']), 'failed')).toEqual(['blocked']);
  expect(judge([...well, { type: 'crash' }], {}, ['entry']).state).toBe('failed');
});

describe('the language', () => {
  it.each([
    ['en-GB', 'en', 'passed'],
    ['de', 'en', 'failed'],
  ] as const)('%s for %s is %s', (lang, asked, state) => {
    expect(ruleOf(judge([...well, { ...page, lang }], { lang: asked }), 'language')?.state).toBe(state);
  });

  it('is not observed where the page states none', () => {
    const silent = { ...page, lang: '', urlLang: '' };
    expect(ruleOf(judge([...well, silent]), 'language')?.state).toBe('not observed');
  });
});

describe('the wallet', () => {
  const without = well.filter(({ type }) => type !== 'wallet');
  it.each<[string, 'fun' | 'real', LaunchSignal[], string]>([
    ['a call in fun mode', 'fun', [info], 'failed'],
    ['none in fun mode', 'fun', [], 'passed'],
    ['/playerInfo in real mode', 'real', [info], 'passed'],
    ['none in real mode', 'real', [], 'failed'],
    ['a call that another launch may have made', 'real', [{ ...info, alone: false }], 'not observed'],
    ['such a call in fun mode', 'fun', [{ ...info, alone: false }], 'not observed'],
  ])('%s', (_, gameMode, signals, state) => {
    const asked = { ...page, urlGameMode: gameMode };
    expect(ruleOf(judge([...without, asked, ...signals], { gameMode }), 'wallet')?.state).toBe(state);
  });

  it('is not observed of a provider whose wallet Croupier does not see', () => {
    const [, ...rest] = without;
    const verdict = judge([{ ...opened, wallet: false }, ...rest]);
    expect(ruleOf(verdict, 'wallet')?.state).toBe('not observed');
    expect(verdict.state).toBe('passed');
  });
});

it('a frame is to check whatever loaded in it: nobody saw inside', () => {
  const verdict = judge([{ type: 'opened', host: 'frame', wallet: false }]);
  expect(verdict.state).toBe('to check');
  expect(found(verdict, 'passed')).toEqual(['code', 'url', 'opened']);
  expect(found(verdict, 'to check')).toEqual(['sight']);
  expect(ruleOf(verdict, 'sight')?.message).toMatch(/^3 of \d\d rules could be checked\. /);
  expect(found(verdict, 'not observed')).toContain('picture');
});

it('a frame whose origin was not reached says so', () => {
  const frame = (outcome: 'reached' | 'untrusted' | 'unreached') =>
    ruleOf(
      judge([
        { type: 'opened', host: 'frame', wallet: false },
        { type: 'origin', outcome },
      ]),
      'origin',
    )?.state;
  expect([frame('reached'), frame('untrusted'), frame('unreached')]).toEqual(['passed', 'to check', 'to check']);
  expect(ruleOf(judge(well), 'origin')).toBeUndefined();
});

it('a replay has no mode and no exit', () => {
  const verdict = judge(well, { source: 'replay', gameMode: null, exitURL: '', lang: '', gameId: '', gameName: '' });
  expect(verdict.results.map(({ rule }) => rule)).not.toContain('mode');
  expect(verdict.results.map(({ rule }) => rule)).not.toContain('exit');
  expect(verdict.state).toBe('passed');
});

it('a launch of an earlier version is judged by its call and its URL, and says that nothing else was noted', () => {
  const verdict = judgeOldLaunch(launch, rules);
  expect(verdict.state).toBe('unfinished');
  expect(verdict.results.map(({ rule, state }) => `${rule} ${state}`)).toEqual([
    'code passed',
    'url passed',
    'opened not observed',
  ]);
});
