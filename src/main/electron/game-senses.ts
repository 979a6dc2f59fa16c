/** Name of the world in which Croupier's scripts run: a game neither sees them nor changes what they use. */
export const sensesWorld = 'croupier';

/** Gathers, from before a document's first script, what a later snapshot cannot see any more. */
export const senses = String.raw`(() => {
  if (globalThis.croupierSenses) return;
  const state = { lost: new Set(), stopped: [], messages: [], pressed: null };
  globalThis.croupierSenses = state;
  // Digits change in a game that does nothing.
  state.words = () => (document.body?.innerText ?? '').replace(/[\d.,:]+/g, '').slice(0, 5000);
  const leaves = /^(?:exit|quit|leave|lobby|(?:exit|quit|leave)(?: the)? game|(?:back|return|go) to (?:the )?(?:lobby|casino)|verlassen|zur lobby|quitter|salir|sair|esci|verlaten|afsluiten|lämna|avsluta|forlad|poistu|wyjdź|wyjście|odejít|выход|выйти|вихід|çıkış|έξοδος|ieșire|終了|退出|나가기)$/i;
  const named = /(?:^|[-_ ])(?:exit|quit|lobby)(?:$|[-_ ])/i;
  const leaving = (element) => {
    if (!(element instanceof Element)) return '';
    const texts = [element.textContent, element.getAttribute('aria-label'), element.getAttribute('title')].map((text) => (text ?? '').trim());
    const said = texts.find((text) => text.length < 40 && leaves.test(text));
    return said ?? (element.matches('button, a, [role=button]') && named.test(element.id) ? element.id : '');
  };
  addEventListener('webglcontextlost', (event) => event.isTrusted && state.lost.add(event.target), true);
  addEventListener('webglcontextrestored', (event) => state.lost.delete(event.target), true);
  addEventListener('securitypolicyviolation', (event) => {
    if (event.isTrusted && event.disposition === 'enforce' && state.stopped.length < 50)
      state.stopped.push({ directive: event.effectiveDirective, url: event.blockedURI });
  }, true);
  addEventListener('message', (event) => {
    if (!event.isTrusted || event.source !== window || state.messages.length >= 20) return;
    const { data } = event;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    if (typeof text === 'string') state.messages.push(text.slice(0, 2000));
  }, true);
  addEventListener('click', (event) => {
    if (!event.isTrusted) return;
    const label = event.composedPath().slice(0, 4).map(leaving).find((text) => text !== '');
    if (label !== undefined) state.pressed = { label, at: performance.now(), words: state.words() };
  }, true);
})()`;

/** Returns the question of one snapshot. It uses no timer and no frame of the page. */
export function snapshotQuestion(selectors: readonly string[]): string {
  return String.raw`(() => {
  ${senses};
  const state = globalThis.croupierSenses;
  const { documentElement, title, body } = document;
  const [navigation] = performance.getEntriesByType('navigation');
  const [paint] = performance.getEntriesByName('first-paint');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isVisible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const find = (selector) => {
    try { return [...document.querySelectorAll(selector)].slice(0, 100).some(isVisible); } catch { return false; }
  };
  const textOf = (view) => { try { return view.document.body?.innerText ?? ''; } catch { return ''; } };
  const canvases = [...document.querySelectorAll('canvas')].slice(0, 100).filter(isVisible).map((one) => one.getBoundingClientRect());
  const largest = canvases.sort((a, b) => b.width * b.height - a.width * a.height)[0];
  const pressed = state.pressed !== null && performance.now() - state.pressed.at > 4000 ? state.pressed : null;
  if (pressed !== null) state.pressed = null;
  const told = { stopped: state.stopped, messages: state.messages };
  Object.assign(state, { stopped: [], messages: [] });
  return {
    url: location.href,
    title,
    lang: documentElement?.lang ?? '',
    surroundings: [innerWidth + ' x ' + innerHeight, 'pixel ratio ' + devicePixelRatio, navigator.language, zone, navigator.userAgent].join(', '),
    times: { firstByte: navigation?.responseStart, firstPaint: paint?.startTime, load: navigation?.loadEventEnd },
    text: [textOf(window), ...[...Array(Math.min(frames.length, 5)).keys()].map((at) => textOf(frames[at]))].join('\n').slice(0, 10000),
    found: ${JSON.stringify(selectors)}.find(find) ?? null,
    canvas: largest === undefined ? null : { x: largest.x / innerWidth, y: largest.y / innerHeight, width: largest.width / innerWidth, height: largest.height / innerHeight },
    lostContexts: [...state.lost].filter((one) => one.isConnected).length,
    ...told,
    deadExit: pressed !== null && pressed.words === state.words() ? pressed.label : null,
  };
})()`;
}
