import type { RuleResult } from '../model/launch-verdict.ts';
import { drawnSuffices } from '../model/ready-signs.ts';
import { readAddress } from '../provider/launcher-url.ts';
import type { Seen, Signalled } from './seen.ts';

/** Characters of an entry's detail that a message repeats. */
const longestLine = 160;

/** A rule's result without its name; null where the rule is not about this launch. */
type Judged = Omit<RuleResult, 'rule'> | null;

interface LaunchRule {
  /** Its subject in a few words. */
  readonly title: string;
  readonly judge: (seen: Seen) => Judged;
}

const at = (found: Signalled | null) => found?.entry.seq ?? null;
const passed = (message: string, found: Signalled | null = null): Judged => ({ state: 'passed', message, entry: at(found) });
const failed = (message: string, found: Signalled | null = null): Judged => ({ state: 'failed', message, entry: at(found) });
const toCheck = (message: string, found: Signalled | null = null): Judged => ({ state: 'to check', message, entry: at(found) });
const unobserved = (message: string): Judged => ({ state: 'not observed', message, entry: null });
const waiting = (message: string): Judged => ({ state: 'waiting', message, entry: null });

const hidden = "A browser can't see inside the frame.";
const notOpened = 'The game was not opened.';

/** Makes a rule about an opened game's page: not observed where the host cannot see the page. */
function ofPage(title: string, judge: (seen: Seen) => Judged): LaunchRule {
  return {
    title,
    judge(seen) {
      if (seen.opened === null) return unobserved(notOpened);
      return seen.whole ? judge(seen) : unobserved(hidden);
    },
  };
}

/** Makes a rule that something never happened on the page. */
function never(
  title: string,
  find: (seen: Seen) => readonly Signalled[],
  state: 'failed' | 'to check',
  good: string,
): LaunchRule {
  return ofPage(title, (seen) => {
    const found = find(seen);
    const [first] = found;
    if (first === undefined) return seen.first('document') === null ? unobserved('No page loaded.') : passed(good);
    return { state, message: wordsOf(found), entry: first.entry.seq };
  });
}

/** Returns the first entry in words, and the number of the others. */
function wordsOf(found: readonly Signalled[]): string {
  const [first] = found;
  const all = found.reduce((sum, { entry }) => sum + entry.count, 0);
  const [line = ''] = first?.entry.detail.split('\n', 1) ?? [];
  const short = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
  const words = [first?.entry.title ?? '', short].filter((part) => part !== '').join(': ');
  return all > 1 ? `${words}, and ${all - 1} more` : words;
}

/** Returns the result of something that has not come: it may still come while the game is open. */
function notYet({ closed }: Seen, missing: string, came: string): Judged {
  return closed === null ? waiting(`${missing} yet`) : unobserved(`The game was closed before ${came}.`);
}

/** The page's statement beside what was asked for: the page's URL may differ from the launcher URL after a redirect. */
function states(seen: Seen, asked: string, fact: 'urlGameId' | 'urlGameMode' | 'urlLang', name: string): Judged {
  const page = seen.last('page');
  const stated = page?.signal[fact] ?? '';
  if (stated === '' || asked === '') return null;
  if (stated === asked) return passed(`The page's URL says ${name} ${stated}`, page);
  return failed(`The page's URL says ${name} ${stated}; the launch asked for ${asked}`, page);
}

/** In the order of causes: a rule stands before those that its failure makes fail. */
export const ruleIds = [
  'code',
  'url',
  'opened',
  'sight',
  'origin',
  'busy',
  'document',
  'redirects',
  'arrival',
  'framing',
  'mixed-content',
  'policy',
  'blocked',
  'protocol',
  'download',
  'requests',
  'dialogs',
  'hang',
  'crash',
  'reloads',
  'closes',
  'webgl',
  'context',
  'script',
  'error-text',
  'picture',
  'game',
  'language',
  'mode',
  'permission',
  'window',
  'log',
  'ready',
  'loading',
  'playable',
  'exit',
  'wallet',
] as const;
type RuleId = (typeof ruleIds)[number];

/** Each rule; one without a name above, and a name without a rule, do not compile. */
export const launchRules: Readonly<Record<RuleId, LaunchRule>> = {
  code: {
    title: 'Code 0',
    judge({ launch: { call } }) {
      if (call.code === 0) return passed(`${call.operation} returned code 0`);
      return failed(
        call.code === null ? `${call.operation} returned no readable code` : `${call.operation} returned code ${call.code}`,
      );
    },
  },
  url: {
    title: 'URL as requested',
    judge({ launch }) {
      const what = launch.source === 'replay' ? 'replay link' : 'launcher URL';
      if (launch.url === null) return launch.call.code === 0 ? failed(launch.problem ?? `There is no ${what}`) : null;
      const wrong = launch.checks.filter((check) => !check.passed);
      const grave = wrong.filter(({ rule }) => !customary.includes(rule));
      const [first] = grave;
      if (first !== undefined) return failed(`${capital(what)}: ${grave.map(({ message }) => message).join('; ')}`);
      if (wrong.length > 0) return toCheck(`${capital(what)}: ${wrong.map(({ message }) => message).join('; ')}`);
      return passed(`${capital(what)} as requested`);
    },
  },
  opened: {
    title: 'Can be opened',
    judge(seen) {
      const unopened = seen.last('unopened');
      if (unopened !== null) {
        const { title, detail } = unopened.entry;
        const words = detail === '' ? title : detail;
        return unopened.signal.because === 'url' ? failed(words, unopened) : waiting(words);
      }
      if (seen.opened !== null) return passed('Opened', seen.opened);
      const { url, problem } = seen.launch;
      if (problem !== null && url !== null) return failed(problem);
      return url === null ? null : waiting('The game is not open yet');
    },
  },
  sight: {
    title: 'Croupier sees the page',
    judge: (seen) =>
      seen.opened === null || seen.whole
        ? null
        : toCheck("A browser can't see inside a frame. Look at the game, then overrule the verdict.", seen.opened),
  },
  origin: {
    title: 'Origin is reachable',
    judge(seen) {
      if (seen.opened === null || seen.whole) return null;
      const origin = seen.first('origin');
      if (origin === null) return unobserved("Croupier hasn't checked the origin.");
      if (origin.signal.outcome === 'reached') return passed(origin.entry.title, origin);
      // A browser may know an authority that Croupier does not, and go another way than Croupier.
      return toCheck(origin.entry.title, origin);
    },
  },
  busy: ofPage('Computer not overloaded', (seen) => {
    const busy = seen.last('busy');
    // A game that logs without end takes the time itself.
    if (busy === null || seen.first('many lines') !== null) return null;
    return toCheck(`This computer was too busy: Croupier could not run for ${seconds(busy.signal.ms)}`, busy);
  }),
  document: ofPage('Main document returns 2xx', (seen) => {
    const broken = seen.last('not loaded');
    const document = seen.last('document');
    if (broken !== null && broken.entry.seq > (document?.entry.seq ?? 0)) return failed(broken.entry.title, broken);
    const late = seen.first('not ready');
    if (document === null) {
      // These take the place of a page.
      const instead = seen.first('download') ?? seen.first('protocol');
      if (instead !== null) return failed(`No page: ${lowered(instead.entry.title)}`, instead);
      if (late !== null && seen.first('busy') !== null) return unobserved('This computer was too busy to wait for the server.');
      if (late !== null) return failed(`The server didn't respond within ${seconds(late.signal.after)}`, late);
      // A refused request has its own rule.
      return seen.first('blocked') === null
        ? notYet(seen, 'No response', 'the server responded')
        : unobserved('The request was blocked.');
    }
    const { status } = document.signal;
    // Without HTTP there is no status.
    if (status <= 0) return unobserved("The page didn't load over HTTP.");
    const words = `The main document returned HTTP ${status}`;
    return status >= 200 && status < 300 ? passed(words, document) : failed(words, document);
  }),
  redirects: ofPage('Redirects stay on HTTPS', (seen) => {
    const redirects = seen.all('redirect');
    const open = redirects.find(({ signal }) => !signal.secure);
    if (open !== undefined) return failed(`${open.entry.title} is not https`, open);
    return redirects.length === 0 ? null : passed(`${count(redirects.length, 'redirect')}, all https`);
  }),
  arrival: ofPage('Page URL as requested', (seen) => {
    const elsewhere = seen.first('elsewhere');
    const page = seen.all('document').findLast(({ entry }) => elsewhere === null || entry.seq < elsewhere.entry.seq);
    const { place, changed } = page?.signal ?? {};
    if (page === undefined || place === undefined || changed === undefined) return null;
    const wrong = changed.filter(({ got }) => got !== null);
    const say = (some: typeof changed) =>
      some.map(({ name, asked, got }) => (got === null ? `no ${name}` : `${name} ${got} instead of ${asked}`)).join(', ');
    if (wrong.length > 0) return failed(`The page's URL has ${say(wrong)}`, page);
    if (changed.length > 0) return toCheck(`The page's URL has ${say(changed)}, unlike the launcher URL`, page);
    const [host = ''] = place.split('/', 1);
    const asked = readAddress(seen.launch.url ?? '')?.host ?? host;
    const where = host === asked ? '' : `; it came from ${host}, not from ${asked}`;
    return passed(`The page's URL doesn't differ from the request${where}`, page);
  }),
  framing: {
    title: 'Embedding is allowed',
    judge(seen) {
      if (seen.opened === null) return unobserved(notOpened);
      const found = seen.all('framing');
      const bare = found.find(({ signal }) => signal.bare === true);
      if (!seen.whole && bare === undefined) return unobserved(hidden);
      // The page itself may have other headers than its address without parameters.
      if (bare !== undefined)
        return bare.signal.allows === 'all' ? passed(bare.entry.title, bare) : toCheck(bare.entry.title, bare);
      const nobody = found.find(({ signal }) => signal.allows === 'nobody');
      if (nobody !== undefined) return failed(nobody.entry.title, nobody);
      const some = seen.first('framing');
      if (some !== null) return toCheck(`${some.entry.title}. Check that the operator's origin is listed`, some);
      if (seen.first('document') === null) return unobserved('No page loaded.');
      return passed(seen.opened.signal.embedded === true ? "The operator's page embeds it" : 'No header forbids embedding');
    },
  },
  'mixed-content': never('No mixed content', (seen) => seen.all('mixed content'), 'failed', 'No mixed content'),
  policy: ofPage('No CSP violations', (seen) => {
    const all = seen.all('policy');
    const code = all.filter(({ signal }) => signal.code);
    if (code.length > 0) return failed(wordsOf(code), code[0]);
    if (all.length > 0) return toCheck(wordsOf(all), all[0]);
    return seen.first('document') === null ? unobserved('No page loaded.') : passed("The page's CSP blocked nothing");
  }),
  blocked: never('No request was blocked', (seen) => seen.all('blocked'), 'failed', 'No request was blocked'),
  protocol: never('No external programs', (seen) => seen.all('protocol'), 'to check', 'No external program was requested'),
  download: never('No download', (seen) => seen.all('download'), 'to check', 'No download'),
  requests: ofPage('No request failed', (seen) => {
    const all = seen.all('request');
    const of = (...outcomes: readonly string[]) => all.filter(({ signal }) => outcomes.includes(signal.outcome));
    const mended = of('succeeded after all');
    const stays = ({ entry }: Signalled) =>
      !mended.some((one) => placeOf(one.entry.detail) === placeOf(entry.detail) && one.entry.lastAt >= entry.lastAt);
    const wrong = of('failed', 'error status').filter(stays);
    const late = of('answered late').map(({ entry }) => entry.detail);
    const open = of('unanswered').filter(({ entry }) => !late.includes(entry.detail));
    const doubtful = [...open, ...of('socket ended').filter(stays)];
    if (wrong.length > 0) return failed(wordsOf(wrong), wrong[0]);
    if (doubtful.length > 0) return toCheck(wordsOf(doubtful), doubtful[0]);
    if (seen.first('document') === null) return unobserved('No page loaded.');
    return passed(mended.length > 0 ? 'Failed requests succeeded on retry' : 'No request failed');
  }),
  dialogs: ofPage('No dialogs', (seen) => {
    const all = seen.all('dialog');
    const number = all.reduce((sum, { entry }) => sum + entry.count, 0);
    if (number > mostDialogs) return failed(`${number.toLocaleString('en')} dialogs: ${wordsOf(all)}`, all[0]);
    if (number > 0) return toCheck(wordsOf(all), all[0]);
    return seen.first('document') === null ? unobserved('No page loaded.') : passed('No dialogs');
  }),
  hang: ofPage('The page keeps responding', (seen) => {
    const hangs = seen.all('hang').filter(({ signal }) => !signal.over);
    const [first] = hangs;
    if (first !== undefined && seen.last('hang')?.signal.over === false)
      return failed(`${first.entry.title}: ${first.entry.detail}`, first);
    if (first !== undefined && hangs.length > 1)
      return toCheck(`The page stopped responding ${hangs.length} times, then recovered`, first);
    // Its first statement is its first answer.
    if (seen.first('page') === null) return notYet(seen, 'No answer', 'the page was asked');
    return passed(first === undefined ? 'The page kept responding' : 'The page was busy once, then recovered');
  }),
  crash: never('No crash', (seen) => seen.all('crash'), 'failed', 'No crash'),
  reloads: ofPage('No reload loop', (seen) => {
    const asked = seen.last('asked again')?.entry.seq ?? 0;
    const loads = Map.groupBy(
      seen.all('document').filter(({ entry }) => entry.seq > asked),
      ({ signal }) => signal.place ?? '',
    );
    for (const [place, all] of loads)
      if (place !== '' && all.length > mostLoads)
        return failed(`The page loaded ${all.length} times by itself: ${place}`, all[mostLoads]);
    return seen.first('document') === null ? unobserved('No page loaded.') : passed("The page didn't keep reloading");
  }),
  closes: never('The page stays open', (seen) => seen.all('closed itself'), 'failed', "The page didn't close itself"),
  webgl: ofPage('WebGL is available', (seen) => {
    const missing = seen.first('no webgl');
    if (missing === null) return null;
    const wanted = seen.first('webgl wanted') ?? seen.all('uncaught error').find(({ entry }) => /webgl/i.test(entry.detail));
    if (wanted === undefined)
      return unobserved("WebGL isn't available on this computer; the game didn't ask for it on its console.");
    return toCheck("The game asks for WebGL, which isn't available on this computer", wanted);
  }),
  context: ofPage('WebGL context kept', (seen) => {
    const lost = seen.last('context lost');
    if (lost === null) return null;
    return lost.signal.over ? toCheck('A canvas lost its WebGL context and got it back', lost) : failed(lost.entry.title, lost);
  }),
  script: never('No uncaught error', (seen) => seen.all('uncaught error'), 'failed', 'No uncaught error'),
  'error-text': ofPage('No error message', (seen) => {
    const text = seen.last('error text');
    if (text === null) return seen.first('page') === null ? unobserved('No page loaded.') : passed('No known error text');
    const first = seen.all('error text').find(({ signal }) => !signal.over) ?? text;
    const words = `The page said "${first.entry.detail}"`;
    return text.signal.over ? toCheck(`${words}, then removed it`, first) : failed(words, first);
  }),
  picture: ofPage('Not blank', (seen) => {
    const picture = seen.last('picture');
    if (picture === null) return notYet(seen, 'No picture', 'a picture was taken');
    const { content } = picture.signal;
    if (content === 'nothing') return failed(blankWords(seen, picture), picture);
    if (content === 'little') return toCheck('The picture is almost empty: check it', picture);
    return passed('The picture shows more than a plain colour', picture);
  }),
  game: ofPage('Requested game', (seen) => {
    const { gameId, gameName } = seen.launch;
    const inUrl = states(seen, gameId, 'urlGameId', 'gameId');
    if (inUrl?.state === 'failed') return inUrl;
    const page = seen.last('page');
    const { title = '', titled = [] } = page?.signal ?? {};
    if (titled.length > 0 && gameId !== '') {
      if (titled.includes(gameId)) return passed(`The page's title is ${title}`, page);
      return failed(`The page's title is ${title}, which is game ${titled.join(', ')}`, page);
    }
    if (title !== '' && gameName !== '' && sameName(title, gameName)) return passed(`The page's title is ${title}`, page);
    const [word = ''] = words(gameName);
    // A title that shares a word with the name may be a form of it.
    if (title !== '' && word !== '' && !words(gameName).some((one) => words(title).includes(one)))
      return toCheck(`The page's title is ${title}; the launch asked for ${gameName}`, page);
    return inUrl ?? unobserved("The page doesn't state its game.");
  }),
  language: ofPage('Requested language', (seen) => {
    const { lang } = seen.launch;
    const page = seen.last('page');
    const stated = page?.signal.lang ?? '';
    if (stated !== '' && lang !== '') {
      const same = primary(stated) === primary(lang);
      return same
        ? passed(`The page is in ${stated}`, page)
        : failed(`The page says its language is ${stated}; the launch asked for ${lang}`, page);
    }
    return states(seen, lang, 'urlLang', 'lang') ?? unobserved("The page doesn't state its language.");
  }),
  mode: ofPage('Requested mode', (seen) => {
    const mode = seen.launch.gameMode ?? '';
    return mode === '' ? null : (states(seen, mode, 'urlGameMode', 'gameMode') ?? unobserved("The page doesn't state its mode."));
  }),
  permission: never('No permission refused', (seen) => seen.all('permission'), 'to check', 'No permission was refused'),
  window: never('No window opened', (seen) => seen.all('window'), 'to check', 'No window opened'),
  log: never('Console within limits', (seen) => seen.all('many lines'), 'to check', 'Console within limits'),
  ready: ofPage('Ready in time', (seen) => {
    const ready = seen.first('ready');
    if (ready !== null) {
      const { after, busy = 0 } = ready.signal;
      const words = `${readyWords(ready.signal)} after ${seconds(after)}`;
      // Time in which Croupier could not look is not the game's.
      if (after - busy > seen.limits.slowAfter * 1_000) return toCheck(`${words}, which is slow`, ready);
      return passed(`${words}: ${ready.entry.detail}`, ready);
    }
    const late = seen.first('not ready');
    if (late === null) return notYet(seen, 'Not ready', 'it was ready');
    return failed(
      `Not ready after ${seconds(late.signal.after)}${late.entry.detail === '' ? '' : `: ${lowered(late.entry.detail)}`}`,
      late,
    );
  }),
  loading: ofPage('Not stuck loading', (seen) => {
    const text = seen.last('loading text');
    if (text === null || text.signal.over) return null;
    return toCheck(`The page still says "${text.entry.detail}"`, text);
  }),
  playable: ofPage('Playable', (seen) => {
    const ready = seen.first('ready');
    if (ready === null) {
      const late = seen.first('not ready');
      return late === null
        ? notYet(seen, "Croupier can't tell whether it's playable", 'it was ready')
        : unobserved("The game wasn't ready.");
    }
    // Earlier versions noted neither.
    if (ready.signal.by !== undefined && seen.first('watched') === null)
      return notYet(seen, 'Not watched long enough', 'Croupier had watched it for some seconds');
    if (ready.signal.by === 'sign') return passed('The game gave a ready sign', ready);
    if (drawnSuffices(seen.limits.readySigns)) return passed('The game was drawn, which is enough in this environment', ready);
    const info = seen.all('wallet').find(({ signal }) => signal.alone && signal.method === '/playerInfo');
    if (info !== undefined) return passed('The game was drawn and requested /playerInfo', info);
    const plays = seen.first('plays');
    if (plays !== null) return passed(plays.entry.title, plays);
    return toCheck("Drawn, but Croupier can't tell whether it's playable. Add a ready sign under Environments", ready);
  }),
  exit: {
    title: 'Exit honoured',
    judge(seen) {
      const exit = seen.first('exit');
      if (seen.launch.exitURL === '') return null;
      if (exit !== null) return passed('The game left through exitURL', exit);
      const pressed = seen.last('exit pressed');
      if (pressed?.signal.followed === 'nothing') return failed(`${pressed.entry.title}, and nothing happened`, pressed);
      if (pressed !== null)
        return toCheck(`${pressed.entry.title}. It only posted a message: open the game on an operator's page`, pressed);
      const elsewhere = seen.first('elsewhere');
      if (elsewhere !== null)
        return toCheck(`${elsewhere.entry.title}, not to exitURL. If that was the exit, it is wrong`, elsewhere);
      return unobserved('Nobody left the game.');
    },
  },
  wallet: {
    title: 'Wallet calls match mode',
    judge(seen) {
      const mode = seen.launch.gameMode;
      if (mode === null) return null;
      if (seen.opened === null) return unobserved(notOpened);
      if (!seen.opened.signal.wallet) return unobserved("Croupier can't see this provider's wallet calls.");
      const calls = seen.all('wallet');
      const [own] = calls.filter(({ signal }) => signal.alone);
      if (mode === 'fun') {
        if (own !== undefined) return failed(`Fun mode called the wallet: ${own.signal.method}`, own);
        if (calls.length > 0) return unobserved('A wallet call arrived that another open launch may have made.');
        return passed('Fun mode made no wallet calls');
      }
      const info = calls.find(({ signal }) => signal.method === '/playerInfo');
      if (info?.signal.alone === false) return unobserved('Another open launch has the same token.');
      if (info !== undefined) return passed('The game requested /playerInfo', info);
      const ready = seen.first('ready');
      // It may ask when it is drawn.
      const watched = ready?.signal.by === undefined ? ready : seen.first('watched');
      const done = watched ?? seen.first('not ready') ?? seen.closed;
      return done === null ? waiting('No /playerInfo yet') : failed("Real mode didn't request /playerInfo");
    },
  },
};

/** Returns what a rule looks at; its name if this version does not know it. */
export function ruleTitle(id: string): string {
  return Object.entries(launchRules).find(([name]) => name === id)?.[1].title ?? id;
}

/** Rules without whose results a launch in a view is not judged. */
export const decisive: readonly RuleId[] = ['document', 'picture', 'ready', 'playable'];

/** Rules that say what this computer lacked, each with those whose failure then says nothing about a game. */
export const excuses: readonly { readonly rule: RuleId; readonly excused: readonly RuleId[] }[] = [
  { rule: 'webgl', excused: ['context', 'script', 'error-text', 'picture', 'ready', 'wallet'] },
  { rule: 'busy', excused: ['hang', 'picture', 'ready', 'wallet', 'exit'] },
];

/** Dialogs from which on they have no end, and times that a page may load by itself: once, and again two times. */
const [mostDialogs, mostLoads] = [20, 3];

/** Checks of a URL whose failure alone makes no launch fail: the spec does not forbid it. */
const customary: readonly string[] = ['form', 'unexpected', 'encoding', 'link'];

/** Returns `12.3 s`. */
function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The first part of a language tag: `de-AT` and `de` are one language. */
function primary(lang: string): string {
  return lang.toLowerCase().split(/[-_]/)[0] ?? '';
}

function words(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function sameName(title: string, name: string): boolean {
  return ` ${words(title).join(' ')} `.includes(` ${words(name).join(' ')} `);
}

/** A title that goes on in a sentence. */
function lowered(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`.replace(/\.$/, '');
}

/** The address of a request's entry, without its query. */
function placeOf(detail: string): string {
  return detail.split(/[?#]/, 1)[0] ?? '';
}

/** Of a game without a sign only that is known. */
function readyWords({ by }: { readonly by?: 'sign' | 'drawn' | undefined }): string {
  return by === 'drawn' ? 'Drawn' : 'Ready';
}

function blankWords(seen: Seen, { entry }: Signalled): string {
  const wasDrawn = seen.all('picture').some((one) => one.entry.seq < entry.seq && one.signal.content !== 'nothing');
  return `The game ${wasDrawn ? 'went' : 'is'} blank: two pictures show a single plain colour`;
}
