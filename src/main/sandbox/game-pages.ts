import { games } from './catalogue.ts';
import { printTime } from './time-text.ts';
import { gamePage, replayPage, type ReplayView } from './game/page.ts';
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
}

/** Answers a GET: game and replay pages, their files, thumbnails. */
export type GamePages = (path: string, query: URLSearchParams) => Page;

// No frame-ancestors, because a game is meant to be embedded.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
const guarded = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const pageHeaders = {
  ...guarded,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  // The URL carries a session token.
  'cache-control': 'no-store',
};

/** Creates the provider's pages and files, all from texts in this program. */
export function createGamePages(deps: { rounds: RoundBook }): GamePages {
  const bySlug = new Map(games.map((game) => [game.slug, game]));

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
        const game = bySlug.get(name);
        if (game) return { status: 200, headers: pageHeaders, body: gamePage(game, languageOf(query)) };
      }
      if (area === 'replay' && name === '') return replay(deps.rounds, query);
      if (area === 'game-assets' && name === 'game.css') return file('text/css; charset=utf-8', gameStyle);
      if (area === 'game-assets' && name === 'game.js') return file('text/javascript; charset=utf-8', gameScript);
      const other = area === 'game-assets' ? theme(name) : area === 'thumbs' ? thumbnail(name.replace(/\.svg$/, '')) : null;
      if (other) return other;
    }
    return {
      status: 404,
      headers: { ...guarded, 'content-type': 'text/plain; charset=utf-8' },
      body: 'There is nothing at this address.\n',
    };
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
  const game = games.find((candidate) => candidate.id === round.gameId);
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
