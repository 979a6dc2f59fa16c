import type { SubjectField } from '../provider/subject.ts';

/** Returns what tells a call from others in a line, such as `player-2 · game 1042 · 1.50 EUR · trx 81`; empty if nothing does. */
export function subjectText(subject: readonly SubjectField[]): string {
  const found = new Map(subject.map((one) => [one.field, one]));
  const take = (name: string, word: (text: string, more: number) => string) => {
    const one = found.get(name);
    return one === undefined ? '' : word(one.value, one.more);
  };
  const plain = (text: string) => text;
  const list = (single: (text: string) => string, many: string) => (text: string, more: number) =>
    more === 0 ? single(text) : `${(more + 1).toLocaleString('en')} ${many}`;
  const money = [take('amount', plain) || take('betAmount', plain), take('currency', plain)];
  return [
    take('gameMode', plain),
    take('playerId', plain),
    take('playerIds', list(plain, 'players')),
    take('gameId', game),
    take('gameIds', list(game, 'games')),
    take('newGameId', (id) => `to game ${id}`),
    money.filter((part) => part !== '').join(' '),
    take('numberOfFreeRounds', (count) => `${count} ${count === '1' ? 'round' : 'rounds'}`),
    take('betLevel', (level) => `level ${level}`),
    take('roundId', (id) => `round ${id}`),
    // Counted back from the month of the call, which is not the reader's.
    take('logMonth', (months) => `logMonth ${months}`),
    take('transactionId', (id) => `trx ${id}`),
    take('externalReferenceId', (id) => `ref ${id}`),
    take('externalReferenceIds', (id, more) => `ref ${id}${more === 0 ? '' : ` +${more.toLocaleString('en')}`}`),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function game(id: string): string {
  return `game ${id}`;
}
