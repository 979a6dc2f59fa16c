import { type Game, gameById, games } from '../catalogue.ts';
import type { ScriptAdditions } from './script.ts';

/** The changes of the demo game that make one fault. Where a field is missing, that part stays as it is. */
export interface Fault {
  /** Headers of the document beside the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Origin that the document's policy lets the page ask, beside its own: so the browser's own rules stop the request, not the policy. */
  readonly connectTo?: string;
  /** Returns the language of the page from the one that was asked for. */
  readonly languageFor?: (asked: string) => string;
  /** The game that the page, its session and its wallet calls name in place of this one. */
  readonly instead?: Game;
  /** Markup at the end of the body. */
  readonly markup?: string;
  /** Style sheet after the demo game's. */
  readonly style?: string;
  readonly script?: ScriptAdditions;
  /** The document's request gets no response. */
  readonly isSilent?: true;
  /** Milliseconds until the session is answered. */
  readonly sessionMs?: number;
  /** The game server calls the wallet in fun mode. */
  readonly callsWalletInFun?: true;
}

/** A game that can be launched. One of the catalogue has no fault. */
export interface PlayableGame extends Game {
  readonly fault?: Fault;
}

/** Milliseconds in which the slow game's session is answered: above the usual patience, below every limit of a connection. */
export const slowSessionMs = 12_000;

/** A name that leads nowhere, by RFC 6761. */
const plainSite = 'http://pictures.example';
/** A port of this machine on which a remote desktop may listen, which a game has no business to find out. */
const privateSite = 'https://127.0.0.1:5900';

/** Only the fault's name and its change; ID, slug and title follow from them. IDs are fixed: append, never insert. */
const faults: readonly (readonly [name: string, fault: Fault])[] = [
  // Only the pixels are missing: the game behind them opens its session and says that it is ready.
  ['blank', { style: 'body { background: #0c0913; }\nbody * { visibility: hidden; }\n' }],
  ['script error', { script: { ready: `setTimeout(() => { throw new Error('Planted fault: script error'); });` } }],
  ['404 picture', { markup: '<img src="/game-assets/missing.png" alt="">' }],
  ['wrong language', { languageFor: (asked) => (asked === 'en' ? 'de' : 'en') }],
  ['wrong game', games[0] === undefined ? {} : { instead: games[0] }],
  [
    'never ready',
    {
      markup: '<div class="loading"><div class="spinner"></div></div>',
      style: `.loading { position: fixed; inset: 0; display: grid; place-items: center; background: #0c0913; }
.spinner { width: 64px; height: 64px; border: 6px solid var(--edge); border-top-color: var(--gold); border-radius: 50%; animation: turn 1s linear infinite; }
@keyframes turn { to { rotate: 1turn; } }
`,
      script: {
        opened: `setInterval(() => void fetch('/game-assets/loading.json').catch(() => {}), 300);
  await new Promise(() => {});`,
      },
    },
  ],
  ['never answers', { isSilent: true }],
  ['exit ignored', { script: { start: `exitURL = new URL('/lobby', location.href).href;` } }],
  ['wallet called in fun mode', { callsWalletInFun: true }],
  ['popup', { script: { ready: `window.open('/lobby');` } }],
  // A script's request: Chromium would ask for a picture over https by itself.
  ['mixed content', { connectTo: plainSite, script: { ready: `fetch('${plainSite}/reel.png').catch(() => {});` } }],
  ['private address', { connectTo: privateSite, script: { ready: `fetch('${privateSite}/').catch(() => {});` } }],
  ['framing denied', { headers: { 'x-frame-options': 'DENY' } }],
  ['slow', { sessionMs: slowSessionMs }],
  ['hangs', { script: { ready: 'setTimeout(() => { for (;;); }, 2000);' } }],
  [
    'logs without end',
    {
      script: {
        ready: `let lines = 0;
  setInterval(() => { for (let more = 200; more > 0; more -= 1) console.log('Line ' + (lines += 1)); }, 100);`,
      },
    },
  ],
];

const firstPlantedId = 9901;

/**
 * Demo games with exactly one thing wrong, to see what a verdict of a launch says of each. No list of games has them, but each can be
 * launched by its ID.
 */
export const plantedGames: readonly (Game & { readonly fault: Fault })[] = faults.map(([name, fault], index) => ({
  id: firstPlantedId + index,
  name: `Planted fault: ${name}`,
  slug: `planted-fault-${name.replaceAll(' ', '-')}-${firstPlantedId + index}`,
  status: 1,
  bets: games[0]?.bets ?? [],
  hue: 340,
  fault,
}));

const byId = new Map(plantedGames.map((game) => [String(game.id), game]));

/** Returns the game of the catalogue or the one with a planted fault that has this ID, or undefined. */
export function playableGame(id: string): PlayableGame | undefined {
  return gameById(id) ?? byId.get(id);
}
