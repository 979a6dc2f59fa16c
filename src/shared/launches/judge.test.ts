import { describe, expect, it } from 'vitest';
import type { Launch, LaunchEntry, LaunchRules } from '../ipc/index.ts';
import type { LaunchSignal } from '../model/launch-verdict.ts';
import { judgeLaunch, judgeOldLaunch } from './judge.ts';
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
const ready = { type: 'ready', after: 1_900, firstByte: 300, firstPaint: 600, load: 1_400 } as const;
/** The record of a game that is well. */
const well: readonly LaunchSignal[] = [opened, { type: 'document', status: 200 }, info, page, ready, drawn];

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
const rules: LaunchRules = { readyWithin: 30, slowAfter: 10, noise: [] };
const judge = (signals: readonly LaunchSignal[], change: Partial<JudgedLaunch> = {}, noise: string[] = []) =>
  judgeLaunch({ ...launch, ...change }, trace(signals), { ...rules, noise });
const found = (verdict: ReturnType<typeof judge>, state: string) =>
  verdict.results.filter((result) => result.state === state).map(({ rule }) => rule);
const ruleOf = (verdict: ReturnType<typeof judge>, id: string) => verdict.results.find(({ rule }) => rule === id);

describe('a launch', () => {
  it('is passed where every rule that decides was observed and none has anything to say', () => {
    const verdict = judge(well);
    expect(verdict.state).toBe('passed');
    expect(found(verdict, 'failed')).toEqual([]);
    expect(found(verdict, 'to check')).toEqual([]);
    // Nobody left the game.
    expect(found(verdict, 'not observed')).toEqual(['exit']);
  });

  it.each<[string, Partial<JudgedLaunch>, string]>([
    ['another code', { call: { operation: 'getLauncherURL', code: 8 } as Launch['call'], url: null, problem: 'x' }, 'code'],
    ['no URL', { url: null, problem: 'The response has no launcherURL.' }, 'url'],
    ['another game in the URL', { checks: [{ rule: 'equal', passed: false, message: 'Not as requested: gameId' }] }, 'url'],
    ['a URL that Croupier does not open', { problem: '10.0.0.1 is an address of a private network.' }, 'opened'],
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

  it.each<[string, LaunchSignal[], string]>([
    ['a 404', [{ type: 'document', status: 404 }], 'document'],
    ['a main document that does not load', [{ type: 'not loaded' }], 'document'],
    ['a redirect to http', [{ type: 'redirect', secure: false }], 'redirects'],
    ['a header that forbids embedding', [{ type: 'framing', allows: 'nobody' }], 'framing'],
    ['mixed content', [{ type: 'mixed content' }, { type: 'uncaught error' }], 'mixed-content'],
    ['a blocked request', [{ type: 'blocked' }, { type: 'uncaught error' }], 'blocked'],
    ['a failed request', [{ type: 'request', outcome: 'failed' }], 'requests'],
    ['a hang', [{ type: 'hang', over: false }], 'hang'],
    [
      'a hang that ended',
      [
        { type: 'hang', over: false },
        { type: 'hang', over: true },
      ],
      'hang',
    ],
    ['a crash', [{ type: 'crash' }], 'crash'],
    ['an uncaught error', [{ type: 'uncaught error' }], 'script'],
    ['a blank picture', [{ type: 'picture', content: 'nothing' }], 'picture'],
    ['another game in the page’s URL', [{ ...page, urlGameId: '1043' }], 'game'],
    ['the title of another game', [{ ...page, title: 'Lucky Compass', titled: ['1001'] }], 'game'],
    ['another language', [{ ...page, lang: 'de' }], 'language'],
    ['another mode', [{ ...page, urlGameMode: 'fun' }], 'mode'],
  ])('fails for %s, which stands first', (_, signals, rule) => {
    const verdict = judge([...well, ...signals]);
    expect(verdict.state).toBe('failed');
    expect(verdict.results[0]).toMatchObject({ rule, state: 'failed' });
  });

  it('fails where it is never ready, and where the server never answers', () => {
    const late = { type: 'not ready', after: 30_000 } as const;
    const never = judge([opened, { type: 'document', status: 200 }, info, page, drawn, late]);
    expect(found(never, 'failed')).toEqual(['ready']);
    const silent = judge([opened, late], { gameMode: 'fun' });
    expect(silent.results[0]).toMatchObject({ rule: 'document', message: 'The server did not answer within 30.0 s' });
  });

  it.each<[string, LaunchSignal[], string]>([
    ['a header that names who may embed it', [{ type: 'framing', allows: 'some' }], 'framing'],
    ['a request without a response', [{ type: 'request', outcome: 'unanswered' }], 'requests'],
    ['a picture that shows little', [{ type: 'picture', content: 'little' }], 'picture'],
    ['a title without a word of the name', [{ ...page, title: 'Golden Orchard', titled: [] }], 'game'],
    ['a new window', [{ type: 'window' }], 'window'],
    ['a log without end', [{ type: 'many lines' }], 'log'],
    ['a page that goes elsewhere', [{ type: 'elsewhere' }], 'exit'],
  ])('is to check for %s', (_, signals, rule) => {
    const verdict = judge([...well, ...signals]);
    expect(verdict.state).toBe('to check');
    expect(found(verdict, 'to check')).toEqual([rule]);
  });

  it('is to check where it was slow', () => {
    const verdict = judge([opened, { type: 'document', status: 200 }, info, page, { ...ready, after: 10_001 }, drawn]);
    expect(verdict.state).toBe('to check');
    expect(ruleOf(verdict, 'ready')?.message).toBe('Ready after 10.0 s; that is slow');
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
    expect(verdict.results[0]).toMatchObject({ entry: 7, message: 'entry of window, and 1 more' });
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
