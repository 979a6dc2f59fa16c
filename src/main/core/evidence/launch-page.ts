import { ruleTitle } from '#shared/launches/rules.ts';
import { escapeAttribute, escapeHtml, htmlPage, htmlTable } from '../files/html.ts';
import type { Call, Launch, LaunchEntry } from '#shared/ipc/index.ts';

/** The evidence of one launch, for a ticket. */
export interface LaunchEvidence {
  readonly madeAt: string;
  readonly program: string;
  readonly launch: Launch;
  readonly entries: readonly LaunchEntry[];
  readonly timings: Call['timings'];
}

/** One HTML file that shows the evidence: no script, nothing loaded. `picture` is the address of the screenshot, null for none. */
export function launchPage(evidence: LaunchEvidence, picture: string | null): string {
  const { launch, entries, timings, madeAt, program } = evidence;
  const title = `${launch.gameName || launch.gameId || 'Replay'} ${launch.gameMode ?? 'replay'}`;
  const facts: [string, string | null][] = [
    ['Environment', launch.environmentName],
    ['Player', launch.playerId],
    ['Language', launch.lang],
    ['Country', launch.country],
    ['IP', launch.ip],
    ['Seen by the page', entries.findLast(({ kind }) => kind === 'page')?.detail ?? ''],
    ['Game', [launch.gameName, launch.gameId].filter((text) => text !== '').join(' · ')],
    ['Mode', launch.gameMode ?? 'replay'],
    ['Prepared', new Date(launch.preparedAt).toISOString()],
    [
      'Call',
      `${launch.call.operation}, number ${launch.call.id}, code ${launch.call.code ?? 'none'}, HTTP ${launch.call.status ?? 'none'}`,
    ],
    ['URL', launch.url],
    ['Exit URL', launch.exitURL],
    ['Left through it', launch.exited ? 'yes' : 'no'],
    ['Problem', launch.problem],
    ['Made', `${madeAt} by ${program}`],
  ];
  const phases = timings === null ? [] : Object.entries(timings).filter(([, value]) => typeof value === 'number');
  return htmlPage(
    title,
    `${htmlTable(
      [],
      facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ cells: [name, value] }])),
    )}
<h2>Verdict</h2>
<p>${escapeHtml(verdictText(launch))}</p>
${htmlTable(
  ['Rule', 'State', 'Because'],
  launch.verdict.results.map(({ rule, state, message }) => ({ cells: [ruleTitle(rule), state, message], mark: marks[state] })),
)}
<h2>Checks</h2>
${htmlTable(
  [],
  launch.checks.map(({ passed, message }) => ({ cells: [passed ? 'ok' : 'not ok', message], mark: passed ? 'good' : 'error' })),
)}
<h2>Parameters</h2>
${htmlTable(
  ['Name', 'State', 'Requested', 'Returned'],
  launch.parameters.map(({ name, state, requested, returned }) => ({
    cells: [name, state, requested ?? '–', returned ?? '–'],
    mark: state === 'equal' ? 'info' : 'error',
  })),
)}
<h2>Timings of the call, in milliseconds</h2>
${htmlTable(
  [],
  phases.map(([name, value]) => ({ cells: [name, String(value)] })),
)}
<h2>Times of the game, in milliseconds</h2>
${htmlTable(
  [],
  gameTimes(entries).map(([name, value]) => ({ cells: [name, String(value)] })),
)}
<h2>Wallet calls</h2>
${walletCalls(entries)}
<h2>Record</h2>
<p>Seconds since the launch was prepared.${launch.dropped > 0 ? ` ${launch.dropped} entries were left out because the record was full.` : ''}</p>
${htmlTable(
  ['s', 'Kind', 'What', 'Detail'],
  entries.map(({ at, kind, title: what, detail, level, count }) => ({
    cells: [(at / 1_000).toFixed(2), kind, count === 1 ? what : `${what} × ${count}`, detail],
    mark: level,
  })),
)}
${picture === null ? '' : `<h2>Screenshot</h2>\n<img src="${escapeAttribute(picture)}" alt="The game as it was shown">`}`,
  );
}

function verdictText({ verdict, overruled }: Launch): string {
  if (overruled === null) return `By its rules: ${verdict.state}.`;
  const at = new Date(overruled.at).toISOString();
  return `By a person: ${overruled.state} (${at}). By its rules: ${verdict.state}. Note: ${overruled.note}`;
}

const marks = { failed: 'error', 'to check': 'warning', waiting: 'info', passed: 'good', 'not observed': 'info' } as const;

/** Returns the table of the wallet calls; a sentence where Croupier cannot see them. */
function walletCalls(entries: readonly LaunchEntry[]): string {
  const opened = entries.findLast((entry) => entry.signal?.type === 'opened')?.signal;
  if (opened?.type !== 'opened') return '<p>Not observed: the game was not opened.</p>';
  const calls = entries.flatMap((entry) => (entry.signal?.type === 'wallet' ? [{ entry, signal: entry.signal }] : []));
  if (!opened.wallet && calls.length === 0)
    return '<p>Not observed: Croupier sees the wallet calls of the built-in provider only.</p>';
  return htmlTable(
    ['s', 'Method', 'Amount', 'Transaction', 'Code', 'Balance before', 'Balance after'],
    calls.map(({ entry, signal: { method, call } }) => {
      const { code = null, amount = null, transactionId = null, balance = null } = call ?? {};
      const money = (text: string | undefined) =>
        balance === null || text === undefined ? 'not observed' : `${text} ${balance.currency}`;
      return {
        cells: [
          (entry.at / 1_000).toFixed(2),
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
    ['Ready, since it was opened', signal.after],
  ];
  return times.flatMap(([name, ms]): [string, number][] => (ms === null ? [] : [[name, ms]]));
}
