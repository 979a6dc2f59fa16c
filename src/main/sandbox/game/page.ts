import { escapeXml, symbolSprite } from './symbols.ts';

/** Opens every page of the provider: a document with its own style sheet and no inline script or style. */
function documentStart(title: string, lang: string, theme: number): string {
  return `<!doctype html>
<html lang="${escapeXml(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark">
<title>${escapeXml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/game-assets/game.css">
<link rel="stylesheet" href="/game-assets/theme-${theme}.css">`;
}

/** Parts of the game's page that a planted fault changes. */
export interface PageParts {
  /** Path of the script. */
  readonly script: string;
  /** Path of a style sheet beside the usual ones, or null. */
  readonly style: string | null;
  /** Markup at the end of the body. */
  readonly markup: string;
}

/** Returns the demo game's page. It takes everything else from its URL and the game server. */
export function gamePage(game: { readonly name: string; readonly hue: number }, lang: string, parts: PageParts): string {
  return `${documentStart(game.name, lang, game.hue)}
${parts.style === null ? '' : `<link rel="stylesheet" href="${parts.style}">\n`}<script src="${parts.script}" type="module"></script>
</head>
<body data-state="loading">
${symbolSprite}
<header>
  <div class="title"><span class="mark" aria-hidden="true"></span><h1>${escapeXml(game.name)}</h1></div>
  <span id="mode" class="badge"></span>
  <button id="exit" class="quiet" type="button"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M15 4h4v16h-4M4 12h11m-4-4 4 4-4 4"/></svg><span data-text="exit">Exit</span></button>
</header>
<main>
  <div id="free" class="free" hidden><svg viewBox="0 0 100 100" aria-hidden="true"><use href="#s4"/></svg><span id="free-text"></span></div>
  <div class="cabinet">
    <div id="reels" class="reels" role="img" aria-label=""><div class="reel"></div><div class="reel"></div><div class="reel"></div><div class="line" aria-hidden="true"></div></div>
  </div>
  <p id="message" class="message" role="status" aria-live="polite"></p>
</main>
<footer>
  <div class="cell"><span class="label" data-text="balance">Balance</span><output id="balance" class="value">–</output></div>
  <div class="cell bet"><span class="label" data-text="bet">Bet</span><div class="stepper"><button id="less" type="button" aria-label="−">−</button><output id="bet" class="value">–</output><button id="more" type="button" aria-label="+">+</button></div></div>
  <button id="spin" class="spin" type="button" disabled><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 12a8 8 0 1 1-2.3-5.7M20 3v4.5h-4.5"/></svg><span data-text="spin">Spin</span></button>
  <div class="cell win"><span class="label" data-text="win">Win</span><output id="win" class="value">–</output></div>
</footer>
<dialog id="notice"><h2 id="notice-title"></h2><p id="notice-text"></p><div class="actions"><button id="notice-close" type="button" class="quiet"></button><button id="notice-exit" type="button" class="solid" data-text="exit">Exit</button></div></dialog>
${parts.markup}</body>
</html>
`;
}

/** Returns the page at which a player of the provider's own site would choose a game. */
export function lobbyPage(): string {
  return `${documentStart('Lobby', 'en', 40)}
</head>
<body data-state="lobby">
<header><div class="title"><span class="mark" aria-hidden="true"></span><h1>Lobby</h1></div></header>
<main><p class="message">This is a page of the provider, not of your site.</p></main>
</body>
</html>
`;
}

/** Texts of a replay page, ready to print. */
export interface ReplayView {
  readonly hue: number;
  readonly title: string;
  readonly lang: string;
  readonly reels: readonly (readonly number[])[] | null;
  readonly rows: readonly (readonly [label: string, value: string])[];
}

/** Returns the replay of one round, or, with null, the page that says that the link is not valid. */
export function replayPage(view: ReplayView | null): string {
  const title = view ? view.title : 'This replay is not available';
  const reels = view?.reels
    ? `<div class="cabinet small"><div id="reels" class="reels" role="img" aria-label="Where the reels stopped">${view.reels
        .map(
          (reel) =>
            `<div class="reel"><div class="strip">${reel.map((symbol) => `<svg viewBox="0 0 100 100"><use href="#s${symbol}"/></svg>`).join('')}</div></div>`,
        )
        .join('')}<div class="line" aria-hidden="true"></div></div></div>`
    : '';
  const body = view
    ? `${reels}<dl class="facts">${view.rows.map(([label, value]) => `<div><dt>${escapeXml(label)}</dt><dd>${escapeXml(value)}</dd></div>`).join('')}</dl>`
    : '<p class="message">The link is not complete, or the round is no longer kept. Ask for a new one with roundReplayInfo.</p>';
  return `${documentStart(title, view?.lang ?? 'en', view?.hue ?? 40)}
</head>
<body class="replay" data-state="${view ? 'replay' : 'missing'}">
${symbolSprite}
<header><div class="title"><span class="mark" aria-hidden="true"></span><h1>${escapeXml(title)}</h1></div><span class="badge">Replay</span></header>
<main>${body}</main>
</body>
</html>
`;
}
