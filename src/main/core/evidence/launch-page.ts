import { amount } from '#shared/amount.ts';
import { launchClock, momentOf } from '#shared/launches/clock.ts';
import { ruleTitle } from '#shared/launches/rules.ts';
import { escapeAttribute, escapeHtml, htmlPage, htmlTable } from '../files/html.ts';
import type { Call, Launch, LaunchEntry } from '#shared/ipc/index.ts';

/** The evidence of one launch, for a ticket. */
export interface LaunchEvidence {
  readonly madeAt: string;
  readonly program: string;
  /** Fingerprint of the key of this home that signs it. */
  readonly signedWith: string;
  /** The person who tests, by the name that they gave; empty for none. */
  readonly tester: string;
  readonly launch: Launch;
  readonly entries: readonly LaunchEntry[];
  /** The call that brought the launcher URL, with secrets masked; null if the history no longer has it. */
  readonly exchange: {
    readonly url: string;
    readonly request: string;
    /** Null without a response. */
    readonly response: string | null;
    /** Bytes of the response that are left out. */
    readonly left: number;
    readonly timings: Call['timings'];
  } | null;
  readonly pictures: readonly {
    /** Its name in the folder. */
    readonly file: string;
    /** As ISO 8601; null if an earlier version took it. */
    readonly takenAt: string | null;
    /** Its moment; null for a screenshot. */
    readonly moment: string | null;
  }[];
  /** Requests of the page in `network.har`, and how many were left out; null if none were recorded. */
  readonly network: { readonly requests: number; readonly left: number } | null;
}

/** One HTML file that shows the evidence: no script, nothing loaded. `pictures`: the addresses of the pictures, in their order. */
export function launchPage(evidence: LaunchEvidence, pictures: readonly string[]): string {
  return htmlPage(titleOf(evidence), sections(evidence, pictures, 2), style);
}

/** One HTML file with the evidence of several launches, one after the other. */
export function launchesPage(
  launches: readonly { readonly evidence: LaunchEvidence; readonly pictures: readonly string[] }[],
): string {
  const [first] = launches;
  if (launches.length === 1 && first !== undefined) return launchPage(first.evidence, first.pictures);
  const bodies = launches.map(
    ({ evidence, pictures }) => `<h2>${escapeHtml(titleOf(evidence))}</h2>\n${sections(evidence, pictures, 3)}`,
  );
  return htmlPage(launches.map(({ evidence }) => titleOf(evidence)).join(', '), bodies.join('\n'), style);
}

const style = `table:not(:has(th)) td:first-child { width: 11rem; } td:nth-child(2):not(:last-child) { white-space: nowrap; }
@media (max-width: 40rem) { td:first-child, td:nth-child(2):not(:last-child) { width: auto; white-space: normal; }
  table:has(th:nth-child(5)) { display: block; overflow-x: auto; } }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
.pictures figure { flex: 0 1 18rem; margin: 0; }
figcaption { font-size: 12px; overflow-wrap: anywhere; }
`;

function titleOf({ launch }: LaunchEvidence): string {
  return `${launch.gameName || launch.gameId || 'Replay'} ${launch.gameMode ?? 'replay'}`;
}

/** `level`: that of the headings. */
function sections(evidence: LaunchEvidence, pictures: readonly string[], level: 2 | 3): string {
  const { launch, entries, exchange } = evidence;
  const phases = Object.entries(exchange?.timings ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, String(value)] as const] : [],
  );
  const shown = (films: boolean) =>
    pictures.flatMap((address, at) =>
      ((evidence.pictures[at]?.moment ?? null) !== null) === films ? [figure(evidence, address, at)] : [],
    );
  const figures = (title: string, films: boolean) => {
    const all = shown(films);
    return all.length === 0 ? '' : section(title, films ? `<div class="pictures">${all.join('\n')}</div>` : all.join('\n'));
  };
  const section = (title: string, body: string) => `<h${level}>${escapeHtml(title)}</h${level}>\n${body}\n`;
  const pairs = (rows: readonly (readonly [string, string])[]) =>
    htmlTable(
      [],
      rows.map((cells) => ({ cells })),
    );
  return [
    `${pairs(factsOf(evidence))}\n`,
    section(
      'Verdict',
      `<p>${escapeHtml(verdictText(launch))}</p>\n${htmlTable(
        ['Rule', 'State', 'Because'],
        launch.verdict.results.map(({ rule, state, message }) => ({
          cells: [ruleTitle(rule), state, message],
          mark: marks[state],
        })),
      )}`,
    ),
    figures('Moments', true),
    section(
      'Checks',
      htmlTable(
        [],
        launch.checks.map(({ passed, message }) => ({
          cells: [passed ? 'ok' : 'not ok', message],
          mark: passed ? 'good' : 'error',
        })),
      ),
    ),
    section(
      'Parameters',
      htmlTable(
        ['Name', 'State', 'Requested', 'Returned'],
        launch.parameters.map(({ name, state, requested, returned }) => ({
          cells: [name, state, requested ?? '–', returned ?? '–'],
          mark: state === 'equal' ? 'info' : 'error',
        })),
      ),
    ),
    exchangeSection(exchange, section),
    section('Timings of the call, in milliseconds', pairs(phases)),
    section(
      'Times of the game, in milliseconds since its page began to load',
      pairs(gameTimes(entries).map(([name, value]) => [name, String(value)] as const)),
    ),
    section('Wallet calls', walletCalls(entries)),
    section('Record', record(evidence)),
    figures('Screenshots', false),
  ].join('');
}

/** Returns the facts of the launch, each with its name; without those that are empty. */
function factsOf({ launch, entries, madeAt, program, signedWith, tester, network }: LaunchEvidence): [string, string][] {
  const facts: [string, string | null][] = [
    ['Tester', tester],
    ['Note', launch.note],
    ['Environment', launch.environmentName],
    ['Player', launch.playerId],
    ['Language', launch.lang],
    ['Country', launch.country],
    ['IP', launch.ip],
    ...hostFacts(entries),
    ['Game', [launch.gameName, launch.gameId].filter((text) => text !== '').join(' · ')],
    ['Mode', launch.gameMode ?? 'replay'],
    ['Prepared', new Date(launch.preparedAt).toISOString()],
    [
      'Call',
      `${launch.call.operation}, number ${launch.call.id}, code ${launch.call.code ?? 'none'}, HTTP ${launch.call.status ?? 'none'}`,
    ],
    ['Message', launch.call.message],
    ['Sent to', launch.call.url],
    ['URL', launch.url],
    ['Exit URL', launch.exitURL],
    ['Exit URL used', launch.exited ? 'yes' : 'no'],
    ['Problem', launch.problem],
    ['Network log', networkText(network)],
    ['Made', `${madeAt} by ${program}`],
    ['Signed with', `${signedWith}\n"croupier evidence verify" finds every later change. Ask the tester if this is their key.`],
  ];
  return facts.flatMap(([name, value]): [string, string][] => (value === null || value === '' ? [] : [[name, value]]));
}

function networkText(network: LaunchEvidence['network']): string {
  if (network === null) return 'not observed';
  const { requests, left } = network;
  return `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'} in network.har${left === 0 ? '' : `, ${left.toLocaleString('en')} left out`}`;
}

/** Returns what showed the game when it was last opened, as far as the record says it. */
function hostFacts(entries: readonly LaunchEntry[]): [string, string][] {
  const at = entries.findLastIndex((entry) => entry.signal?.type === 'opened');
  const opened = entries[at]?.signal;
  if (opened?.type !== 'opened') return [];
  const settings = entries.slice(at).filter(({ kind }) => kind === 'settings');
  const page = entries.findLast(({ kind }) => kind === 'page');
  const { program } = opened;
  const view = opened.embedded === true ? "a frame on an operator's page" : 'its own view';
  const shown = opened.host === 'view' ? view : 'a browser frame';
  return [
    [
      'Host',
      program === undefined ? `The game in ${shown}` : `${program.host}, Croupier ${program.version}, the game in ${shown}`,
    ],
    ['Engine', program?.engine ?? 'not observed'],
    ['Device', settings.map(({ title, detail }) => `${title}\n${detail}`.trim()).join('\n')],
    [
      page === undefined || page.signal !== null ? 'Seen by the page' : 'Browser around the frame',
      page?.detail ?? 'not observed',
    ],
  ];
}

function record({ launch, entries }: LaunchEvidence): string {
  const left =
    launch.dropped > 0 ? ` ${amount(launch.dropped, 'entry was', 'entries were')} left out because the record was full.` : '';
  const clock = launchClock(entries);
  return `<p>Milliseconds since the page began to load.${left}</p>
${htmlTable(
  ['ms', 'Kind', 'What', 'Detail'],
  entries.map((entry) => {
    const { at, kind, title: what, detail, level, count } = entry;
    return {
      cells: [amountText(clock(entry, at)), kind, count === 1 ? what : `${what} × ${count}`, detail],
      mark: level,
    };
  }),
)}`;
}

function figure({ launch, entries, pictures }: LaunchEvidence, address: string, at: number): string {
  const { file = '', takenAt = null, moment = null } = pictures[at] ?? {};
  const since = takenAt === null ? 0 : Date.parse(takenAt) - launch.preparedAt;
  const when =
    takenAt === null
      ? 'time unknown: taken by an earlier version'
      : `${amountText(momentOf(entries, since))} ms after the page began to load, ${takenAt}`;
  const name = moment === null ? '' : `<b>${escapeHtml(moment)}</b><br>`;
  return `<figure><img src="${escapeAttribute(address)}" alt="The game as it was shown"><figcaption>${name}${escapeHtml(when)}<br>${escapeHtml(file)}</figcaption></figure>`;
}

/** Writes milliseconds as `12,345`. */
function amountText(ms: number): string {
  return Math.round(ms).toLocaleString('en');
}

function exchangeSection(exchange: LaunchEvidence['exchange'], section: (title: string, body: string) => string): string {
  if (exchange === null) return section('Request and response', '<p>The history no longer has this call.</p>');
  const { request, response, left } = exchange;
  const text = (body: string) => `<pre>${escapeHtml(body)}</pre>`;
  const rest = left === 0 ? '' : `<p>${amount(left, 'more byte', 'more bytes')} left out.</p>`;
  return `${section('Request', text(request))}${section('Response', response === null ? '<p>None.</p>' : `${text(response)}${rest}`)}`;
}

function verdictText({ verdict, overruled }: Launch): string {
  if (overruled === null) return `By the launch rules: ${verdict.state}.`;
  const at = new Date(overruled.at).toISOString();
  return `By a person: ${overruled.state} (${at}). By the launch rules: ${verdict.state}. Note: ${overruled.note}`;
}

const marks = { failed: 'error', 'to check': 'warning', waiting: 'info', passed: 'good', 'not observed': 'info' } as const;

/** Returns the table of the wallet calls; a sentence where Croupier cannot see them. */
function walletCalls(entries: readonly LaunchEntry[]): string {
  const opened = entries.findLast((entry) => entry.signal?.type === 'opened')?.signal;
  if (opened?.type !== 'opened') return '<p>Not observed: the game was not opened.</p>';
  const clock = launchClock(entries);
  const calls = entries.flatMap((entry) => (entry.signal?.type === 'wallet' ? [{ entry, signal: entry.signal }] : []));
  if (!opened.wallet && calls.length === 0)
    return "<p>Not observed: Croupier sees only the built-in provider's wallet calls.</p>";
  return htmlTable(
    ['ms', 'Method', 'Amount', 'Transaction', 'Code', 'Balance before', 'Balance after'],
    calls.map(({ entry, signal: { method, call } }) => {
      const { code = null, amount = null, transactionId = null, balance = null } = call ?? {};
      const money = (text: string | undefined) =>
        balance === null || text === undefined ? 'not observed' : `${text} ${balance.currency}`;
      return {
        cells: [
          amountText(clock(entry, entry.at)),
          method,
          amount ?? '–',
          transactionId ?? '–',
          code === null ? 'not observed' : String(code),
          money(balance?.before),
          money(balance?.after),
        ],
        mark: entry.level,
      };
    }),
  );
}

/** Returns what the entry of the game's readiness measured; nothing of a game that was not ready. */
function gameTimes(entries: readonly LaunchEntry[]): [name: string, ms: number][] {
  const signal = entries.findLast((entry) => entry.signal?.type === 'ready')?.signal;
  if (signal?.type !== 'ready') return [];
  const times: [string, number | null][] = [
    ['First byte', signal.firstByte],
    ['First paint', signal.firstPaint],
    ['Load', signal.load],
    [signal.by === 'drawn' ? 'Drawn' : 'Ready', signal.after],
  ];
  return times.flatMap(([name, ms]): [string, number][] => (ms === null ? [] : [[name, ms]]));
}
