/** Code that the script of a game with a planted fault has more than the demo game's, by the moment at which it runs. */
export interface ScriptAdditions {
  /** Runs before the session is asked for. */
  readonly start?: string;
  /** Runs when the session is there, before the game shows it. */
  readonly opened?: string;
  /** Runs when the game can be played. */
  readonly ready?: string;
}

/** Returns the demo game's script, served as its own file. It runs in browsers, not in Croupier. */
export function gameScript({ start = '', opened = '', ready = '' }: ScriptAdditions = {}): string {
  return String.raw`
const words = {
  en: { balance: 'Balance', bet: 'Bet', win: 'Win', spin: 'Spin', exit: 'Exit', real: 'Real', fun: 'Fun', close: 'Stay', ready: 'Good luck', lost: 'Try again', won: 'You win {amount}', free: '{left} of {total} free rounds, {bet} each', credits: '{amount} credits', noExitTitle: 'There is nowhere to exit to', noExitText: 'The launcher URL came without an exit address (exitURL is empty).', token: 'The session is not valid', tokenText: 'The session token was not accepted. Launch the game again with a token that works.', wallet: 'A call of the wallet failed', walletText: 'It is not known whether it was booked. Load the game again.', balanceTitle: 'The balance does not cover this bet', balanceText: 'Choose a smaller bet.', failed: 'The game cannot be played', failedText: 'The launcher URL does not fit this provider ({problem}).', offline: 'The provider does not answer', offlineText: 'Check that it is running, then load the page again.' },
  de: { balance: 'Guthaben', bet: 'Einsatz', win: 'Gewinn', spin: 'Drehen', exit: 'Verlassen', real: 'Echtgeld', fun: 'Spielgeld', close: 'Bleiben', ready: 'Viel Glück', lost: 'Noch einmal', won: 'Gewonnen: {amount}', free: '{left} von {total} Freispielen zu je {bet}', credits: '{amount} Punkte', noExitTitle: 'Es gibt kein Ziel zum Verlassen', noExitText: 'Die Startadresse hat keine Ausgangsadresse (exitURL ist leer).', token: 'Die Sitzung ist nicht gültig', tokenText: 'Das Sitzungs-Token wurde nicht angenommen. Starten Sie das Spiel mit einem gültigen.', balanceTitle: 'Das Guthaben reicht nicht', balanceText: 'Wählen Sie einen kleineren Einsatz.' },
  fr: { balance: 'Solde', bet: 'Mise', win: 'Gain', spin: 'Lancer', exit: 'Quitter', real: 'Réel', fun: 'Démo', close: 'Rester', ready: 'Bonne chance', lost: 'Encore une fois', won: 'Vous gagnez {amount}', free: '{left} tours gratuits sur {total}, {bet} chacun', credits: '{amount} crédits', noExitTitle: 'Aucune adresse de sortie', noExitText: "L'adresse de lancement n'a pas d'exitURL.", token: "La session n'est pas valide", tokenText: 'Relancez le jeu avec un jeton valide.', balanceTitle: 'Le solde ne suffit pas', balanceText: 'Choisissez une mise plus petite.' },
  es: { balance: 'Saldo', bet: 'Apuesta', win: 'Premio', spin: 'Girar', exit: 'Salir', real: 'Real', fun: 'Demo', close: 'Seguir', ready: 'Buena suerte', lost: 'Otra vez', won: 'Ganas {amount}', free: '{left} de {total} tiradas gratis, {bet} cada una', credits: '{amount} créditos', noExitTitle: 'No hay dirección de salida', noExitText: 'La dirección de inicio no trae exitURL.', token: 'La sesión no es válida', tokenText: 'Abre el juego con un token válido.', balanceTitle: 'El saldo no alcanza', balanceText: 'Elige una apuesta menor.' },
  pt: { balance: 'Saldo', bet: 'Aposta', win: 'Prêmio', spin: 'Girar', exit: 'Sair', real: 'Real', fun: 'Demo', close: 'Ficar', ready: 'Boa sorte', lost: 'Tente de novo', won: 'Você ganhou {amount}', free: '{left} de {total} rodadas grátis, {bet} cada', credits: '{amount} créditos' },
  tr: { balance: 'Bakiye', bet: 'Bahis', win: 'Kazanç', spin: 'Çevir', exit: 'Çıkış', real: 'Gerçek', fun: 'Deneme', close: 'Kal', ready: 'Bol şans', lost: 'Tekrar dene', won: '{amount} kazandınız', free: '{total} bedava turdan {left} kaldı, her biri {bet}', credits: '{amount} kredi' },
  sv: { balance: 'Saldo', bet: 'Insats', win: 'Vinst', spin: 'Snurra', exit: 'Lämna', real: 'Riktigt', fun: 'Demo', close: 'Stanna', ready: 'Lycka till', lost: 'Försök igen', won: 'Du vann {amount}', free: '{left} av {total} gratisrundor à {bet}', credits: '{amount} krediter' },
  ja: { balance: '残高', bet: 'ベット', win: '配当', spin: 'スピン', exit: '終了', real: 'リアル', fun: 'デモ', close: '戻る', ready: '幸運を', lost: 'もう一度', won: '{amount} 獲得', free: 'フリーラウンド {left}/{total}（各 {bet}）', credits: '{amount} クレジット' },
};
const query = new URLSearchParams(location.search);
const asked = document.documentElement.lang;
const lang = Object.hasOwn(words, asked) ? asked : 'en';
let exitURL = query.get('exitURL') ?? '';
const text = { ...words.en, ...words[lang] };
const at = (id) => document.getElementById(id);
const body = document.body;
const reels = [...document.querySelectorAll('.reel')];
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
let game = null;
let betIndex = 0;
let balance = 0;
let free = null;

function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}
function money(minor) {
  const amount = minor / 10 ** game.digits;
  if (game.currency === null) return fill(text.credits, { amount: new Intl.NumberFormat(lang, { minimumFractionDigits: 2 }).format(amount) });
  return new Intl.NumberFormat(lang, { style: 'currency', currency: game.currency, minimumFractionDigits: game.digits, maximumFractionDigits: game.digits }).format(amount);
}
function setState(state) {
  body.dataset.state = state;
  const idle = state === 'ready';
  at('spin').disabled = !idle;
  at('less').disabled = !idle || free !== null || betIndex === 0;
  at('more').disabled = !idle || free !== null || betIndex === game.bets.length - 1;
}
function show() {
  at('balance').textContent = money(balance);
  at('bet').textContent = money(free ? free.bet : game.bets[betIndex]);
  at('free').hidden = free === null;
  if (free) at('free-text').textContent = fill(text.free, { left: free.left, total: free.total, bet: money(free.bet) });
  Object.assign(body.dataset, { balance, digits: game.digits, currency: game.currency ?? '', bet: free ? free.bet : game.bets[betIndex], freeLeft: free ? free.left : 0 });
}
function symbolsOf(list) {
  const strip = document.createElement('div');
  strip.className = 'strip';
  for (const symbol of list) {
    const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    picture.setAttribute('viewBox', '0 0 100 100');
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    use.setAttribute('href', '#s' + symbol);
    picture.append(use);
    strip.append(picture);
  }
  return strip;
}
const shown = [[4, 6, 1], [0, 6, 5], [3, 6, 2]];
function stand(index, symbols) {
  shown[index] = symbols;
  reels[index].replaceChildren(symbolsOf(symbols));
}
async function roll(index, target) {
  if (calm) return stand(index, target);
  const filler = Array.from({ length: 14 + index * 7 }, () => Math.floor(Math.random() * 7));
  const strip = symbolsOf([...target, ...filler, ...shown[index]]);
  reels[index].replaceChildren(strip);
  const distance = ((target.length + filler.length) / (target.length + filler.length + 3)) * 100;
  await strip.animate([{ transform: 'translateY(-' + distance + '%)' }, { transform: 'translateY(0.6%)', offset: 0.92 }, { transform: 'none' }], { duration: 620 + index * 260, easing: 'cubic-bezier(.2,.6,.2,1)' }).finished;
  stand(index, target);
}
async function ask(path, request) {
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) });
  return response.json();
}
function launchFields() {
  const fields = {};
  for (const name of ['partnerId', 'platform', 'gameId', 'gameMode', 'externalToken']) fields[name] = query.get(name) ?? '';
  return fields;
}
function notice(state, title, message, closable) {
  body.dataset.notice = state;
  at('notice-title').textContent = title;
  at('notice-text').textContent = message;
  at('notice-close').textContent = closable ? text.close : '';
  at('notice-exit').hidden = state === 'noexit';
  at('notice').showModal();
}
function stop(problem) {
  body.dataset.problem = problem;
  body.dataset.state = 'problem';
  if (problem === 'token') notice('token', text.token, text.tokenText, false);
  else if (problem === 'wallet') notice('wallet', text.wallet, text.walletText, false);
  else if (problem === 'offline') notice('offline', text.offline, text.offlineText, false);
  else notice(problem, text.failed, fill(text.failedText, { problem }), false);
}
async function spin() {
  if (body.dataset.state !== 'ready') return;
  setState('spinning');
  body.dataset.won = 'no';
  at('message').textContent = '';
  at('win').textContent = '–';
  const result = await ask('/game-api/spin', { ...launchFields(), betIndex }).catch(() => ({ problem: 'offline' }));
  if (result.problem === 'balance') {
    setState('ready');
    return notice('balance', text.balanceTitle, text.balanceText, true);
  }
  if (result.problem) return stop(result.problem);
  // Play money is counted here; a wallet counts the rest.
  if (result.balance === null) balance -= result.bet;
  else if (!result.free) balance = result.balance - result.win;
  show();
  await Promise.all(result.reels.map((symbols, index) => roll(index, symbols)));
  balance = result.balance ?? balance + result.win;
  free = result.freeRounds;
  if (result.balance === null && balance < game.bets[0]) balance = game.balance;
  const won = result.win > 0;
  at('win').textContent = money(result.win);
  at('message').textContent = won ? fill(text.won, { amount: money(result.win) }) : text.lost;
  Object.assign(body.dataset, { won: won ? 'yes' : 'no', win: result.win, roundId: result.roundId ?? '', spins: Number(body.dataset.spins ?? 0) + 1 });
  if (won) markHits(result.reels);
  show();
  setState('ready');
}
function markHits(columns) {
  const line = columns.map((column) => column[1]);
  line.forEach((symbol, index) => {
    if (line.filter((other) => other === symbol).length > 1) reels[index].querySelectorAll('svg')[1].classList.add('hit');
  });
}
function exit() {
  const url = URL.canParse(exitURL) ? new URL(exitURL) : null;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) {
    body.dataset.state = 'left';
    location.assign(url.href);
    return;
  }
  if (at('notice').open) at('notice').close();
  notice('noexit', text.noExitTitle, text.noExitText, body.dataset.state !== 'problem');
}
function step(change) {
  betIndex = Math.min(Math.max(betIndex + change, 0), game.bets.length - 1);
  show();
  setState('ready');
}
document.documentElement.lang = lang;
for (const element of document.querySelectorAll('[data-text]')) element.textContent = text[element.dataset.text];
reels.forEach((_, index) => stand(index, shown[index]));
at('spin').addEventListener('click', spin);
at('less').addEventListener('click', () => step(-1));
at('more').addEventListener('click', () => step(1));
at('exit').addEventListener('click', exit);
at('notice-exit').addEventListener('click', exit);
at('notice-close').addEventListener('click', () => at('notice').close());
at('notice').addEventListener('cancel', (event) => { if (body.dataset.state === 'problem') event.preventDefault(); });
document.addEventListener('keydown', (event) => {
  if (event.code !== 'Space' || at('notice').open || event.repeat || event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  spin();
});
${start}
const opened = await ask('/game-api/session', launchFields()).catch(() => ({ problem: 'offline' }));
if (opened.problem) {
  stop(opened.problem);
} else {
  ${opened}
  game = opened;
  balance = opened.balance;
  free = opened.freeRounds;
  betIndex = Math.floor((game.bets.length - 1) / 3);
  body.dataset.mode = game.mode;
  at('mode').textContent = game.mode === 'real' ? text.real : text.fun;
  at('message').textContent = text.ready;
  show();
  setState('ready');
  ${ready}
}
`;
}
