import { describe, expect, it } from 'vitest';
import { subjectOf } from '#shared/provider/subject.ts';
import { tabTitles, type TitledTab } from './tab-titles.ts';

function draft(name: string, text: string, change: Partial<TitledTab> = {}): Omit<TitledTab, 'id'> {
  return { name, subject: subjectOf(text), folder: '', collection: '', environment: '', ...change };
}

function file(name: string, folder: string, collection = 'team', change: Partial<TitledTab> = {}): Omit<TitledTab, 'id'> {
  return { name, subject: [], folder, collection, environment: '', ...change };
}

function titles(...tabs: readonly Omit<TitledTab, 'id'>[]): string[] {
  const found = tabTitles(tabs.map((tab, at) => ({ ...tab, id: String(at) })));
  return tabs.map((_, at) => {
    const { name, detail } = found.get(String(at)) ?? { name: '', detail: '' };
    return detail === '' ? name : `${name} ${detail}`;
  });
}

const bet = (player: string, amount: string, transaction = 'trx') =>
  `{"playerId":"${player}","amount":${amount},"currency":"EUR","transactionId":"${transaction}"}`;

describe('the titles of tabs', () => {
  it('say what identifies a request', () => {
    const exact = '{"playerId":"p-2","amount":90071992547409.10,"currency":"EUR"}';
    expect(titles(draft('/bet', exact))).toEqual(['/bet p-2 · 90071992547409.10 EUR']);
    expect(titles(draft('gameList', '{"currency":"EUR"}'), file('start', ''))).toEqual(['gameList', 'start']);
    expect(titles(draft('/bet', 'no JSON'))).toEqual(['/bet']);
  });

  it('show of one operation what differs alone, in all digits and words', () => {
    expect(titles(draft('/bet', bet('p', '1.50')), draft('/bet', bet('p', '1.5')), draft('/bet', bet('p', '1.50')))).toEqual([
      '/bet 1.50',
      '/bet 1.5',
      '/bet 1.50 (2)',
    ]);
    expect(titles(draft('gameList', '{"currency":"EUR"}'), draft('gameList', '{"currency":"USD"}'))).toEqual([
      'gameList EUR',
      'gameList USD',
    ]);
    expect(titles(draft('gameList', '{}', { environment: 'staging' }), draft('gameList', '{}'), draft('gameList', '{}'))).toEqual(
      ['gameList staging', 'gameList', 'gameList (2)'],
    );
  });

  it('of files are their names, and if these are equal, their folders and collections', () => {
    expect(titles(file('bet', 'wallet'), file('win', 'wallet'))).toEqual(['bet', 'win']);
    expect(titles(file('bet', 'wallet'), file('bet', 'old/wallet'), file('bet', 'wallet', 'other'))).toEqual([
      'bet team · wallet',
      'bet team · old/wallet',
      'bet other · wallet',
    ]);
  });

  it('are never equal as they are drawn, however long', () => {
    const long = 'x'.repeat(100);
    const drawn = titles(
      file(`${long}a${long}`, ''),
      file(`${long}b${long}`, ''),
      draft('/bet', bet(`${long}1${long}`, '1')),
      draft('/bet', bet(`${long}2${long}`, '1')),
    );
    expect(new Set(drawn).size).toBe(4);
    for (const title of drawn) expect(title.length).toBeLessThanOrEqual(38 + 1 + 30 + 4);
  });

  it('have everything in their whole', () => {
    const [title] = tabTitles([{ ...draft('/bet', bet('p', '1.50'), { environment: 'staging' }), id: '0' }]).values();
    expect(title?.whole).toBe('/bet · p · 1.50 EUR · trx trx · last sent to staging');
    const [other] = tabTitles([{ ...file('bet', 'a/b'), id: '0' }]).values();
    expect(other?.whole).toBe('team/a/b/bet');
  });
});
