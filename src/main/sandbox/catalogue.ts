import { type Currency, printAmount } from './money.ts';

/** A game of the demo catalogue. `bets` are in minor units of a euro; `hue` colours its page and picture. */
export interface Game {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  /** 1: offered, 2: new, 0: withdrawn from lobbies but still playable. The provider's own meaning of status is not documented. */
  readonly status: number;
  readonly bets: readonly bigint[];
  readonly hue: number;
}

const names = [
  'Lucky Compass',
  'Amber Orchard',
  'Neon Foxes',
  'Copper Canyon',
  'Midnight Tram',
  'Señor Fortuna',
  'Velvet Comet',
  'Harbour Lights',
  'Pharaoh\u2019s Ledger',
  'Zuckerwürfel',
  'Tiger Lantern',
  'Crystal Bakery',
  'Gold Rush Railway',
  'Ice Palace',
  'Fruit Parade',
  'Золотой берег',
  'Wild Juniper',
  'Seven Sails',
  'The Clockmaker\u2019s Daughter and the Very Last Brass Nightingale of Saint Ottoline',
  'Dragon Post',
  'Café de la Chance',
  'Ruby Reef',
  'Thunder Valley',
  'Moonlit Mahjong',
  '幸運の猫',
  'Bison Trail',
  'Sugar Meteor',
  'Pirate Almanac',
  'Jazz & Jackpots',
  'Emerald Elevator',
  'Æsir\u2019s Reach',
  'Coral Crown',
  'Desert Bloom',
  'Starlight Platform 88',
  'Łódź Nights',
  'Vegas Viola',
  'Bamboo Bells',
  'Owl & Oak',
  'Glacier Gems',
  'Royal Marmalade',
  'Çınar Express',
  'Firefly Lagoon',
  'Lady Quicksilver',
  'Mango Monsoon',
  'Night Market',
  'Ocean Ottoman',
  'Παλίρροια',
  'Quartz Quest',
  'Red Balloon',
  'Silk & Saffron',
  'Tango Tiles',
  'Ultraviolet',
  'Viking Vinyl',
  'Wish Factory',
  'Xanadu Express',
  'Yellow Umbrella',
  'Zeppelin Zero',
  'مصباح الحظ',
  'A',
  'Grand Hotel Hazard: Director\u2019s Cut (Anniversary Edition)',
] as const;

/** Different lengths on purpose: betLevel is an index into the list of its own game. */
const ladders: readonly (readonly bigint[])[] = [
  [10n, 20n, 50n, 100n, 200n, 500n],
  [20n, 40n, 60n, 80n, 100n, 200n, 300n, 500n, 1_000n, 2_000n],
  [25n, 50n, 100n],
  [1n, 2n, 5n, 10n, 20n, 50n, 100n, 200n, 500n, 1_000n, 2_000n, 5_000n, 10_000n],
  [100n],
  [50n, 150n, 250n, 500n, 1_250n],
];

const statuses = [1, 1, 1, 2, 1, 1, 1, 1, 0, 1] as const;
const firstGameId = 1001;

/** About 60 games, the same on every machine and in every run. */
export const games: readonly Game[] = names.map((name, index) => ({
  id: firstGameId + index,
  name,
  slug: `${slugOf(name)}-${firstGameId + index}`,
  status: statuses[index % statuses.length] ?? 1,
  bets: ladders[(index * 5 + 1) % ladders.length] ?? [],
  hue: (index * 47 + 12) % 360,
}));

const byId = new Map(games.map((game) => [String(game.id), game]));

/** Returns the game with this id as the API writes it (decimal text), or undefined. */
export function gameById(id: string): Game | undefined {
  return byId.get(id);
}

/** Returns the allowed bets of a game in a currency, in minor units of that currency, ascending; `betLevel` is an index into it. */
export function betsIn(game: Game, currency: Currency): bigint[] {
  const unit = 10n ** BigInt(currency.digits);
  // In thousandths, so that half a euro's worth stays whole.
  const scale = BigInt(Math.round(currency.scale * 1_000));
  const scaled = game.bets.map((bet) => (bet * scale * unit) / 100_000n);
  return [...new Set(scaled.map((bet) => (bet === 0n ? 1n : bet)))];
}

/** Returns the bets as decimals, as printed in the game list. */
export function betTexts(game: Game, currency: Currency): string[] {
  return betsIn(game, currency).map((bet) => printAmount(bet, currency.digits));
}

function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/['’]|\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-');
  return plain.replace(/^-+|-+$/g, '').slice(0, 40) || 'game';
}
