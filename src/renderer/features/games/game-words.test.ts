import { describe, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import { validatePayload, contextOf, operationByName } from '#shared/provider/index.ts';
import { freeRoundsDraft, launcherDraft } from './game-drafts.ts';
import { ageText, betUnit, currencyHint, snapshotTime, snapshotTitle } from './snapshot-words.ts';

const environment = Environment.parse({
  id: 'e',
  name: 'staging',
  baseUrl: 'https://a.example',
  platform: 1,
  partnerId: 42,
  defaults: { lang: 'de', playerId: 'p-7' },
});
const game = { id: '1042', name: 'Golden Orchard', bets: ['0.1', '0.2', '0.5'], thumbnail: '', status: '1' };
const now = Date.UTC(2026, 10, 20, 12, 0, 0);

describe('requests from a game', () => {
  it('are whole and name the game', () => {
    const launch = launcherDraft(game, environment, now);
    expect(launch).toMatchObject({ environmentId: 'e', operation: 'getLauncherURL', overrides: {} });
    expect(JSON.parse(launch.text)).toMatchObject({
      gameMode: 'fun',
      gameId: '1042',
      externalToken: '',
      lang: 'de',
      playerId: 'p-7',
    });
    const free = freeRoundsDraft({ ...game, id: '90"1' }, 2, environment, now);
    expect(JSON.parse(free.text)).toMatchObject({ playerId: 'p-7', betLevel: 2, gameIds: ['90"1'] });
    for (const draft of [launch, freeRoundsDraft(game, 0, environment, now)]) {
      const findings = validatePayload(operationByName(draft.operation), draft.form, draft.text, contextOf(environment, {}, now));
      const severe = findings.filter(({ severity }) => severity === 'error');
      expect(severe).toEqual([]);
    }
  });
});

describe('words about fetched lists', () => {
  it('say when and how long ago', () => {
    const at = new Date(2026, 10, 20, 9, 5, 7).getTime();
    expect(snapshotTime(at, at)).toBe('20 Nov 09:05:07');
    expect(snapshotTime(at, new Date(2027, 0, 1).getTime())).toBe('20 Nov 2026 09:05:07');
    const ages = [0, 59_000, 60_000, 59 * 60_000, 60 * 60_000, 23 * 3_600_000, 25 * 3_600_000, 72 * 3_600_000];
    expect(ages.map((age) => ageText(at, at + age))).toEqual([
      'just now',
      'just now',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '23 h ago',
      'yesterday',
      '3 days ago',
    ]);
    const snapshot = {
      id: 1,
      environmentId: 'e',
      environmentName: 'e',
      currency: '',
      callId: 1,
      fetchedAt: at,
      games: 1,
      problems: [],
    };
    expect(snapshotTitle(snapshot, at)).toBe('20 Nov 09:05:07, no currency, 1 game');
  });

  it('count bets in the currency, or in its minor units where that is recorded', () => {
    const minor = { 'amounts.unit': { value: 'minor', note: '' } };
    expect([betUnit('EUR', {}), betUnit('EUR', minor), betUnit('', minor)]).toEqual(['EUR', 'minor units of EUR', 'minor units']);
  });

  it('say of a currency what is unusual, and stop nobody', () => {
    expect(currencyHint('EUR')).toBeNull();
    expect(currencyHint('eur')).toContain('capital letters');
    expect(currencyHint('')).toContain('No currency');
    for (const odd of ['EURO', 'E', '€', 'EU1', ' EUR']) expect(currencyHint(odd)).toContain('three letters');
  });
});
