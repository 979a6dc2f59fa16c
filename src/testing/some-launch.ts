import type { Launch, LaunchEntry } from '#shared/ipc/index.ts';
import { someSummary } from './some-call.ts';

/** A launch whose game can be opened. */
export function someLaunch(id: string, change: Partial<Launch> = {}): Launch {
  return {
    id,
    environmentId: 'e',
    environmentName: 'e',
    source: 'launcher',
    call: someSummary({ operation: 'getLauncherURL', url: '' }),
    gameId: '1042',
    gameName: '',
    gameMode: 'fun',
    lang: 'en',
    playerId: 'player-1',
    country: 'DE',
    ip: '203.0.113.9',
    exitURL: '',
    device: '',
    preparedAt: 0,
    url: 'https://game.example/',
    origin: 'https://game.example',
    parameters: [],
    checks: [],
    problem: null,
    state: 'ready',
    exited: false,
    entries: 0,
    dropped: 0,
    pictures: [],
    note: '',
    verdict: { state: 'unfinished', results: [] },
    overruled: null,
    ...change,
  };
}

/** An entry of a record. */
export function someEntry(seq: number, title = `${seq}`, detail = ''): LaunchEntry {
  const at = seq;
  return {
    seq,
    at,
    count: 1,
    lastAt: at,
    kind: 'console',
    group: 'console',
    level: 'info',
    title,
    detail,
    signal: null,
  };
}
