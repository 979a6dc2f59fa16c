import type { RuleResult } from '../model/launch-verdict.ts';
import type { Seen, Signalled } from './seen.ts';

/** Characters of an entry's detail that a message repeats. */
const longestLine = 160;

/** A rule's result without its name; null where the rule is not about this launch. */
type Look = Omit<RuleResult, 'rule'> | null;

export interface LaunchRule {
  /** Stable name. */
  readonly id: string;
  /** Its subject in a few words. */
  readonly title: string;
  readonly look: (seen: Seen) => Look;
}

const at = (found: Signalled | null) => found?.entry.seq ?? null;
const passed = (message: string, found: Signalled | null = null): Look => ({ state: 'passed', message, entry: at(found) });
const failed = (message: string, found: Signalled | null = null): Look => ({ state: 'failed', message, entry: at(found) });
const toCheck = (message: string, found: Signalled | null = null): Look => ({ state: 'to check', message, entry: at(found) });
const unobserved = (message: string): Look => ({ state: 'not observed', message, entry: null });
const waiting = (message: string): Look => ({ state: 'waiting', message, entry: null });

const hidden = 'This host does not see inside the frame.';
const notOpened = 'The game was not opened.';

/** Makes a rule about an opened game's page: not observed where the host cannot see the page. */
function ofPage(id: string, title: string, look: (seen: Seen) => Look): LaunchRule {
  return {
    id,
    title,
    look(seen) {
      if (seen.opened === null) return unobserved(notOpened);
      return seen.whole ? look(seen) : unobserved(hidden);
    },
  };
}

/** Makes a rule that something never happened on the page. */
function never(
  id: string,
  title: string,
  find: (seen: Seen) => readonly Signalled[],
  state: 'failed' | 'to check',
  good: string,
): LaunchRule {
  return ofPage(id, title, (seen) => {
    const found = find(seen);
    const [first] = found;
    if (first === undefined) return seen.first('document') === null ? unobserved('No page came.') : passed(good);
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
function notYet({ closed }: Seen, missing: string, came: string): Look {
  return closed === null ? waiting(`${missing} yet`) : unobserved(`The game was closed before ${came}.`);
}

/** The page's statement beside what was asked for: the page's URL may differ from the launcher URL after a redirect. */
function states(seen: Seen, asked: string, fact: 'urlGameId' | 'urlGameMode' | 'urlLang', name: string): Look {
  const page = seen.last('page');
  const stated = page?.signal[fact] ?? '';
  if (stated === '' || asked === '') return null;
  if (stated === asked) return passed(`The page's URL says ${name} ${stated}`, page);
  return failed(`The page's URL says ${name} ${stated}; ${asked} was asked for`, page);
}

/** In the order of causes: a rule stands before those that its failure makes fail. */
export const launchRules: readonly LaunchRule[] = [
  {
    id: 'code',
    title: 'Code 0',
    look({ launch: { call } }) {
      if (call.code === 0) return passed(`${call.operation} answered 0`);
      return failed(
        call.code === null ? `${call.operation} brought no code that can be read` : `${call.operation} answered ${call.code}`,
      );
    },
  },
  {
    id: 'url',
    title: 'URL as requested',
    look({ launch }) {
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
  {
    id: 'opened',
    title: 'Can be opened',
    look(seen) {
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
  {
    id: 'sight',
    title: 'Croupier sees the page',
    look: (seen) =>
      seen.opened === null || seen.whole
        ? null
        : toCheck(
            'A browser does not show Croupier what is in the frame: look at the game, then overrule the verdict',
            seen.opened,
          ),
  },
  {
    id: 'origin',
    title: 'The origin can be reached',
    look(seen) {
      if (seen.opened === null || seen.whole) return null;
      const origin = seen.first('origin');
      if (origin === null) return unobserved('Croupier has not looked at the origin.');
      if (origin.signal.outcome === 'reached') return passed(origin.entry.title, origin);
      // A browser may know an authority that Croupier does not, and go another way than Croupier.
      return toCheck(origin.entry.title, origin);
    },
  },
  ofPage('document', 'Main document answers 2xx', (seen) => {
    const broken = seen.last('not loaded');
    const document = seen.last('document');
    if (broken !== null && broken.entry.seq > (document?.entry.seq ?? 0)) return failed(broken.entry.title, broken);
    const late = seen.first('not ready');
    if (document === null) {
      if (late !== null) return failed(`The server did not answer within ${seconds(late.signal.after)}`, late);
      // A refused request has its own rule.
      return seen.first('blocked') === null
        ? notYet(seen, 'No response', 'the server answered')
        : unobserved('Its request was blocked.');
    }
    const { status } = document.signal;
    // Without HTTP there is no status.
    if (status <= 0) return unobserved('The page did not come over HTTP.');
    const words = `The main document answered HTTP ${status}`;
    return status >= 200 && status < 300 ? passed(words, document) : failed(words, document);
  }),
  ofPage('redirects', 'Redirects stay https', (seen) => {
    const redirects = seen.all('redirect');
    const open = redirects.find(({ signal }) => !signal.secure);
    if (open !== undefined) return failed(`${open.entry.title} is not https`, open);
    return redirects.length === 0 ? null : passed(`${count(redirects.length, 'redirect')}, all https`);
  }),
  ofPage('framing', 'Embedding is allowed', (seen) => {
    const nobody = seen.all('framing').find(({ signal }) => signal.allows === 'nobody');
    if (nobody !== undefined) return failed(nobody.entry.title, nobody);
    const some = seen.first('framing');
    if (some !== null) return toCheck(`${some.entry.title}. Check that the operator's origin is among them`, some);
    if (seen.first('document') === null) return unobserved('No page came.');
    return passed(seen.opened?.signal.embedded === true ? "The operator's page frames it" : 'No header forbids embedding');
  }),
  never('mixed-content', 'No mixed content', (seen) => seen.all('mixed content'), 'failed', 'No mixed content'),
  never('blocked', 'No request was blocked', (seen) => seen.all('blocked'), 'failed', 'No request was blocked'),
  ofPage('requests', 'No request failed', (seen) => {
    const all = seen.all('request');
    const wrong = all.filter(({ signal: { outcome } }) => outcome === 'failed' || outcome === 'error status');
    const late = all.filter(({ signal }) => signal.outcome === 'answered late').map(({ entry }) => entry.detail);
    const open = all.filter(({ signal, entry }) => signal.outcome === 'unanswered' && !late.includes(entry.detail));
    const found = wrong.length > 0 ? wrong : open;
    const [first] = found;
    if (first === undefined) return seen.first('document') === null ? unobserved('No page came.') : passed('No request failed');
    return wrong.length > 0 ? failed(wordsOf(found), first) : toCheck(wordsOf(found), first);
  }),
  ofPage('hang', 'The page keeps responding', (seen) => {
    const [hang] = seen.all('hang').filter(({ signal }) => !signal.over);
    if (hang !== undefined) return failed(`${hang.entry.title}: ${hang.entry.detail}`, hang);
    // Its first statement is its first answer.
    return seen.first('page') === null ? notYet(seen, 'No answer', 'the page was asked') : passed('The page kept responding');
  }),
  never('crash', 'The page does not crash', (seen) => seen.all('crash'), 'failed', 'No crash'),
  ofPage('webgl', 'WebGL is there', (seen) => {
    const missing = seen.first('no webgl');
    if (missing === null) return null;
    const wanted = seen.first('webgl wanted') ?? seen.all('uncaught error').find(({ entry }) => /webgl/i.test(entry.detail));
    if (wanted === undefined)
      return unobserved('This computer gives pages no WebGL; the game did not ask for it on its console.');
    return toCheck('The game asks for WebGL, which this computer gives no page', wanted);
  }),
  never('script', 'No uncaught error', (seen) => seen.all('uncaught error'), 'failed', 'No uncaught error'),
  ofPage('picture', 'Not blank', (seen) => {
    const picture = seen.last('picture');
    if (picture === null) return notYet(seen, 'No picture', 'a picture was taken');
    const { content } = picture.signal;
    if (content === 'nothing') return failed('The game is blank: one plain colour in two pictures', picture);
    if (content === 'little') return toCheck('The picture shows little: look at it', picture);
    return passed('The picture shows more than a plain colour', picture);
  }),
  ofPage('game', 'The game asked for', (seen) => {
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
      return toCheck(`The page's title is ${title}; ${gameName} was asked for`, page);
    return inUrl ?? unobserved('The page does not state its game.');
  }),
  ofPage('language', 'The language asked for', (seen) => {
    const { lang } = seen.launch;
    const page = seen.last('page');
    const stated = page?.signal.lang ?? '';
    if (stated !== '' && lang !== '') {
      const same = primary(stated) === primary(lang);
      return same
        ? passed(`The page is in ${stated}`, page)
        : failed(`The page says its language is ${stated}; ${lang} was asked for`, page);
    }
    return states(seen, lang, 'urlLang', 'lang') ?? unobserved('The page does not state its language.');
  }),
  ofPage('mode', 'The mode asked for', (seen) => {
    const mode = seen.launch.gameMode ?? '';
    return mode === ''
      ? null
      : (states(seen, mode, 'urlGameMode', 'gameMode') ?? unobserved('The page does not state its mode.'));
  }),
  never('window', 'No window opened', (seen) => seen.all('window'), 'to check', 'No window opened'),
  never('log', 'The log stays within bounds', (seen) => seen.all('many lines'), 'to check', 'The log stays within bounds'),
  ofPage('ready', 'Ready in time', (seen) => {
    const ready = seen.first('ready');
    if (ready !== null) {
      const { after } = ready.signal;
      if (after > seen.limits.slowAfter * 1_000) return toCheck(`Ready after ${seconds(after)}; that is slow`, ready);
      return passed(`Ready after ${seconds(after)}: ${ready.entry.detail}`, ready);
    }
    const late = seen.first('not ready');
    return late === null
      ? notYet(seen, 'Not ready', 'it was ready')
      : failed(`Not ready after ${seconds(late.signal.after)}`, late);
  }),
  {
    id: 'exit',
    title: 'Exit honoured',
    look(seen) {
      const exit = seen.first('exit');
      if (seen.launch.exitURL === '') return null;
      if (exit !== null) return passed('The game left through exitURL', exit);
      const elsewhere = seen.first('elsewhere');
      if (elsewhere !== null)
        return toCheck(`${elsewhere.entry.title}, not to exitURL. If that was the exit, it is wrong`, elsewhere);
      return unobserved('The game was not left.');
    },
  },
  {
    id: 'wallet',
    title: 'Wallet calls fit the mode',
    look(seen) {
      const mode = seen.launch.gameMode;
      if (mode === null) return null;
      if (seen.opened === null) return unobserved(notOpened);
      if (!seen.opened.signal.wallet) return unobserved("Croupier does not see this provider's wallet calls.");
      const calls = seen.all('wallet');
      const [own] = calls.filter(({ signal }) => signal.alone);
      if (mode === 'fun') {
        if (own !== undefined) return failed(`Fun mode called the wallet: ${own.signal.method}`, own);
        if (calls.length > 0) return unobserved('A wallet call came that another open launch may have made.');
        return passed('Fun mode called no wallet');
      }
      const info = calls.find(({ signal }) => signal.method === '/playerInfo');
      if (info?.signal.alone === false) return unobserved('Another open launch has the same token.');
      if (info !== undefined) return passed('The game asked for /playerInfo', info);
      const done = seen.first('ready') ?? seen.first('not ready') ?? seen.closed;
      return done === null ? waiting('No /playerInfo yet') : failed('Real mode did not ask for /playerInfo');
    },
  },
];

/** Returns what a rule looks at; its name if this version does not know it. */
export function ruleTitle(id: string): string {
  return launchRules.find((rule) => rule.id === id)?.title ?? id;
}

/** Rules without whose results a launch in a view is not judged. */
export const decisive: readonly string[] = ['document', 'picture', 'ready'];

/** Rules whose failure says nothing about a game that lacks WebGL. */
export const needWebgl: readonly string[] = ['script', 'picture', 'ready', 'wallet'];

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
