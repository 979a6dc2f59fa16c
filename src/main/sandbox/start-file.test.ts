import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { readStart } from './start-file.ts';

const read = (text: string) => readStart(text, 'players.yaml');

/** The faults of a text, each with its line and column. */
function faultsOf(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof AppError) return (error.details as { problems: string[] }).problems;
    throw error;
  }
  return [];
}

describe('a file of players', () => {
  it('gives players with exact balances and their own tokens, in YAML and in JSON', () => {
    const yaml = `
players:
  - playerId: alice
    externalToken: token-of-alice
    currency: EUR
    country: AT
    balance: 250.50
  - { playerId: "7", currency: KWD, balance: 0.005 }
`;
    const json = JSON.stringify({
      players: [
        { playerId: 'alice', externalToken: 'token-of-alice', currency: 'EUR', country: 'AT', balance: 250.5 },
        { playerId: '7', currency: 'KWD', balance: 0.005 },
      ],
    });
    for (const text of [yaml, json]) {
      const { players, currencies } = read(text);
      expect(players).toMatchObject([
        {
          playerId: 'alice',
          externalToken: 'token-of-alice',
          currency: { code: 'EUR', digits: 2 },
          country: 'AT',
          balance: 25_050n,
        },
        { playerId: '7', externalToken: null, currency: { code: 'KWD', digits: 3 }, country: 'DE', balance: 5n },
      ]);
      expect(currencies.size).toBe(32);
    }
  });

  it('has the currencies that it lists, and no others', () => {
    const { players, currencies } = read(
      'currencies: [EUR, { code: PTS, digits: 0, betFactor: 10 }]\nplayers: [{ playerId: a, currency: PTS, balance: 999999999999 }]',
    );
    expect([...currencies.keys()]).toEqual(['EUR', 'PTS']);
    expect(players[0]).toMatchObject({ balance: 999_999_999_999n, currency: { digits: 0, scale: 10 } });
  });

  it.each([
    ['', '1:1: The file must be an object'],
    ['players:\n', '1:9: players must be a list'],
    ['players: []\n', '1:10: players must be a list'],
    ['players: [\n', '2:1: Flow sequence in block collection must be'],
    ['player: []\n', '1:1: The file has no field "player"'],
    ['players:\n  - playerId: a\n    currency: EUR\n', '2:5: A player needs balance.'],
    ['players:\n  - { playerId: 12, currency: EUR, balance: 1 }\n', '2:17: playerId must be a string: put it in quotes.'],
    ['players:\n  - { playerId: a, currency: XXX, balance: 1 }\n', '2:30: There is no currency XXX.'],
    ['players:\n  - { playerId: a, currency: JPY, balance: 1.5 }\n', '2:44: balance has more decimals than JPY, which has 0.'],
    ['players:\n  - { playerId: a, currency: EUR, balance: -1 }\n', '2:44: balance must be a number'],
    ['players:\n  - { playerId: a, currency: EUR, balance: 1e3 }\n', '2:44: balance must be a number'],
    ['players:\n  - { playerId: a, currency: EUR, balance: "1" }\n', '2:44: balance must be a number'],
    ['players:\n  - { playerId: a, currency: EUR, balance: 1, bonus: 2 }\n', '2:47: A player has no field "bonus".'],
    ['players:\n  - { playerId: a, currency: EUR, balance: 1, country: de }\n', '2:56: country must be two capital letters'],
    ['players:\n  - &a { playerId: a, currency: EUR, balance: 1 }\n  - *a\n', "3:5: Aliases aren't supported."],
    ['players:\n  - playerId: a\n    playerId: b\n', '3:5: Map keys must be unique'],
    ['currencies: [XXX]\nplayers: []\n', '1:14: The built-in provider does not know the currency XXX.'],
    ['currencies: [{ code: XXX, digits: 9 }]\nplayers: []\n', '1:35: digits must be a whole number from 0 to 8'],
    ['currencies: [EUR, EUR]\nplayers: []\n', '1:19: The currency EUR is listed twice.'],
  ])('refuses %j with the line and the column', (text, fault) => {
    expect(faultsOf(text)[0]).toContain(`players.yaml:${fault}`);
  });

  it('names every fault of the file, in its order', () => {
    const text =
      'players:\n  - { playerId: a, externalToken: t, currency: EUR, balance: x }\n  - { playerId: a, externalToken: t, currency: EUR, balance: 1 }\n';
    expect(faultsOf(text).map((fault) => fault.split(': ')[0])).toEqual([
      'players.yaml:2:62',
      'players.yaml:3:17',
      'players.yaml:3:35',
    ]);
  });
});
