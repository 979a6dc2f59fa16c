import type { Launch } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import type { LaunchState } from '#shared/model/launch-state.ts';
import { escapeAttribute, escapeHtml, htmlPage } from '../files/html.ts';

/** The columns of a sheet of launches, each with the text of a launch. */
const columns: readonly (readonly [title: string, text: (launch: Launch) => string])[] = [
  ['Prepared', ({ preparedAt }) => new Date(preparedAt).toISOString()],
  ['Environment', ({ environmentName }) => environmentName],
  ['Game', ({ gameName }) => gameName],
  ['Game ID', ({ gameId }) => gameId],
  ['Mode', ({ gameMode, source }) => gameMode ?? (source === 'replay' ? 'replay' : '')],
  ['Language', ({ lang }) => lang],
  ['Device', ({ device }) => device],
  ['Player', ({ playerId }) => playerId],
  ['Verdict', stateOf],
  ['By', ({ overruled }) => (overruled === null ? 'rules' : 'a person')],
  ['Because', becauseOf],
  ['Note', ({ note }) => note],
  ['Launch', ({ id }) => id],
];

/** Writes launches as CSV (RFC 4180), with the number of each verdict in the last rows. */
export function sheetCsv(launches: readonly Launch[]): string {
  const verdict = columns.findIndex(([title]) => title === 'Verdict');
  const totals = totalsOf(launches).map(([state, count]) =>
    columns.map((_, at) => (at === 0 ? String(count) : at === verdict ? state : '')),
  );
  const rows = [columns.map(([title]) => title), ...launches.map((launch) => columns.map(([, text]) => text(launch))), ...totals];
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** One HTML file with a row for each launch. `picture`: the address of its picture; `about`: who made it. */
export function sheetPage(rows: readonly { readonly launch: Launch; readonly picture: string | null }[], about: string): string {
  const cell = (text: string) => `<td>${escapeHtml(text)}</td>`;
  const body = rows.map(({ launch, picture }) => {
    const image = picture === null ? '' : `<img src="${escapeAttribute(picture)}" alt="The game as it was shown">`;
    return `<tr class="${marks[stateOf(launch)]}"><td class="cover">${image}</td>${columns.map(([, text]) => cell(text(launch))).join('')}</tr>`;
  });
  const head = ['Picture', ...columns.map(([title]) => title)].map((title) => `<th>${escapeHtml(title)}</th>`).join('');
  const totals = totalsOf(rows.map(({ launch }) => launch)).map(([state, count]) => `${count} ${state}`);
  const sum = `<p>${escapeHtml(`${amount(rows.length, 'launch', 'launches')}: ${totals.join(', ')}.`)}</p>`;
  return htmlPage(
    'Launches',
    `<div class="wide">${sum}<table><tr>${head}</tr>\n${body.join('\n')}</table></div>\n<p>${escapeHtml(about)}</p>`,
    `body { max-width: none; } .wide { overflow-x: auto; } .cover img { width: 9rem; max-width: none; }
td { white-space: nowrap; } td:nth-last-child(2), td:nth-last-child(3) { white-space: pre-wrap; min-width: 14rem; }
`,
  );
}

const marks: Readonly<Record<LaunchState, string>> = {
  failed: 'error',
  'to check': 'warning',
  passed: 'good',
  unfinished: 'info',
};

function stateOf({ verdict, overruled }: Launch): LaunchState {
  return overruled?.state ?? verdict.state;
}

/** Returns the reason of the first rule that was not passed, or the note of the person who overruled. */
function becauseOf({ verdict, overruled }: Launch): string {
  if (overruled !== null) return overruled.note;
  return verdict.results.find(({ state }) => state === 'failed' || state === 'to check' || state === 'waiting')?.message ?? '';
}

/** Returns the number of launches of each verdict; none without one. */
function totalsOf(launches: readonly Launch[]): [state: LaunchState, count: number][] {
  const states = Object.keys(marks) as LaunchState[];
  return states.flatMap((state): [LaunchState, number][] => {
    const count = launches.filter((launch) => stateOf(launch) === state).length;
    return count === 0 ? [] : [[state, count]];
  });
}

/** A cell that begins as a formula has an apostrophe before it: a spreadsheet would run the text of others. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
