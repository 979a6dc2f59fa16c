import { games } from './catalogue.ts';
import { plantedGames, playableGame, type PlayableGame } from './game/planted-faults.ts';
import { printTime } from './time-text.ts';
import { gamePage, lobbyPage, replayPage, type ReplayView } from './game/page.ts';
import { gameScript } from './game/script.ts';
import { gameStyle } from './game/style.ts';
import { thumbnailSvg } from './game/symbols.ts';
import { printAmount } from './money.ts';
import { type Round, type RoundBook, roundTotals } from './rounds.ts';
import { symbols } from './slot-machine.ts';

/** A response with its body; the server adds the length. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds until the response is sent; Infinity for never. */
  readonly waitMs?: number;
  /** True to end the connection in place of the response. */
  readonly isCut?: boolean;
  /** Ends it in the midst of the body, or sends that byte by byte. */
  readonly pace?: 'cutBody' | 'drip';
}

/** Answers a GET: game and replay pages, their files, thumbnails. */
export type GamePages = (path: string, query: URLSearchParams) => Page;

// No frame-ancestors, because a game is meant to be embedded.
const policyWith = (connect: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect}; base-uri 'none'; form-action 'none'`;
const guarded = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const pageHeaders = {
  ...guarded,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyWith("'self'"),
  // The URL carries a session token.
  'cache-control': 'no-store',
};

/** Creates the provider's pages and files, all from texts in this program. */
export function createGamePages(deps: { rounds: RoundBook }): GamePages {
  const bySlug = new Map(games.map((game) => [game.slug, game]));
  const playable = new Map<string, PlayableGame>([...bySlug, ...plantedGames.map((game) => [game.slug, game] as const)]);

  function thumbnail(slug: string): Page | null {
    const game = bySlug.get(slug);
    if (!game) return null;
    const body = thumbnailSvg({ name: game.name, hue: game.hue, symbol: game.id % symbols.length });
    return file('image/svg+xml', body);
  }

  function theme(name: string): Page | null {
    const hue = /^theme-(\d{1,3})\.css$/.exec(name)?.[1];
    return hue === undefined ? null : file('text/css; charset=utf-8', `:root { --hue: ${Number(hue)}; }\n`);
  }

  return (path, query) => {
    // Browsers request it for every picture that is opened by itself.
    if (path === '/favicon.ico') return { status: 204, headers: guarded, body: '' };
    const [, area = '', name = '', ...rest] = path.split('/');
    if (rest.length === 0) {
      if (area === 'game') {
        const game = playable.get(name);
        if (game) return pageOf(game, languageOf(query));
      }
      if (area === 'lobby' && name === '') return { status: 200, headers: pageHeaders, body: lobbyPage() };
      if (area === 'replay' && name === '') return replay(deps.rounds, query);
      if (area === 'game-assets' && name === 'game.css') return file('text/css; charset=utf-8', gameStyle);
      if (area === 'game-assets' && name === 'game.js') return file('text/javascript; charset=utf-8', gameScript());
      const other =
        area === 'game-assets'
          ? (theme(name) ?? plantedAsset(name))
          : area === 'thumbs'
            ? thumbnail(name.replace(/\.svg$/, ''))
            : null;
      if (other) return other;
    }
    return {
      status: 404,
      headers: { ...guarded, 'content-type': 'text/plain; charset=utf-8' },
      body: 'There is nothing at this address.\n',
    };
  };
}

/** Returns a file that only games with a planted fault ask for. */
function plantedAsset(name: string): Page | null {
  if (name === 'loading.json') {
    return {
      status: 200,
      headers: { ...guarded, 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '{"loaded":99}\n',
    };
  }
  const { script, style } = plantedGames.find(({ slug }) => name.startsWith(`${slug}.`))?.fault ?? {};
  if (script !== undefined && name.endsWith('.js')) return file('text/javascript; charset=utf-8', gameScript(script));
  return style !== undefined && name.endsWith('.css') ? file('text/css; charset=utf-8', style) : null;
}

function pageOf(game: PlayableGame, asked: string): Page {
  const { fault = {}, slug } = game;
  const { connectTo, headers, instead = game, isSilent = false, languageFor, markup, script, style } = fault;
  const parts = {
    script: `/game-assets/${script === undefined ? 'game' : slug}.js`,
    style: style === undefined ? null : `/game-assets/${slug}.css`,
    markup: markup === undefined ? '' : `${markup}\n`,
  };
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      ...(connectTo === undefined ? {} : { 'content-security-policy': policyWith(`'self' ${connectTo}`) }),
      ...headers,
    },
    body: gamePage(instead, languageFor?.(asked) ?? asked, parts),
    ...(isSilent ? { waitMs: Infinity } : {}),
  };
}

function file(type: string, body: string): Page {
  return { status: 200, headers: { ...guarded, 'content-type': type, 'cache-control': 'max-age=300' }, body };
}

function languageOf(query: URLSearchParams): string {
  const lang = query.get('lang') ?? '';
  return /^[a-z]{2}$/.test(lang) ? lang : 'en';
}

function replay(rounds: RoundBook, query: URLSearchParams): Page {
  const round = rounds.byReplayToken(query.get('replayToken') ?? '');
  const view = round ? viewOf(round, languageOf(query)) : null;
  return { status: view ? 200 : 404, headers: pageHeaders, body: replayPage(view) };
}

function viewOf(round: Round, lang: string): ReplayView {
  const game = playableGame(String(round.gameId));
  const totals = roundTotals(round);
  const { digits, code } = round.currency;
  return {
    hue: game?.hue ?? 40,
    title: game?.name ?? 'Round replay',
    lang,
    reels: round.reels,
    rows: [
      ['Round', round.id.toString()],
      ['Started', `${printTime(round.start)} UTC`],
      ['Ended', `${printTime(totals.end)} UTC`],
      ['Bet', `${printAmount(totals.bet, digits)} ${code}`],
      ['Win', `${printAmount(totals.win, digits)} ${code}`],
      ['Actions', round.records.map((record) => record.action).join(', ')],
    ],
  };
}
