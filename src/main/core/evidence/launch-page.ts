import type { Call, Launch, LaunchEntry } from '#shared/ipc/index.ts';

/** What is known of one launch, for a ticket. */
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
    ['Game', [launch.gameName, launch.gameId].filter((text) => text !== '').join(' · ')],
    ['Mode', launch.gameMode ?? 'replay'],
    ['Prepared', new Date(launch.preparedAt).toISOString()],
    [
      'Call',
      `${launch.call.operation}, number ${launch.call.id}, code ${launch.call.code ?? 'none'}, HTTP ${launch.call.status ?? 'none'}`,
    ],
    ['Address', launch.url],
    ['Exit address', launch.exitURL],
    ['Left through it', launch.exited ? 'yes' : 'no'],
    ['Problem', launch.problem],
    ['Made', `${madeAt} by ${program}`],
  ];
  const phases = timings === null ? [] : Object.entries(timings).filter(([, value]) => typeof value === 'number');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; }
td { overflow-wrap: anywhere; white-space: pre-wrap; } td:first-child { white-space: nowrap; }
.error, .blocked { color: light-dark(#b3261e, #ff8a80); } .warning { color: light-dark(#7a5900, #ffcf70); } .good { color: light-dark(#0a6b47, #6ddba8); }
img { max-width: 100%; border: 1px solid #8884; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${table(
  [],
  facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ cells: [name, value] }])),
)}
<h2>Checks</h2>
${table(
  [],
  launch.checks.map(({ passed, message }) => ({ cells: [passed ? 'ok' : 'not ok', message], mark: passed ? 'good' : 'error' })),
)}
<h2>Parameters</h2>
${table(
  ['Name', 'State', 'Requested', 'Returned'],
  launch.parameters.map(({ name, state, requested, returned }) => ({
    cells: [name, state, requested ?? '–', returned ?? '–'],
    mark: state === 'equal' ? 'info' : 'error',
  })),
)}
<h2>Timings of the call, in milliseconds</h2>
${table(
  [],
  phases.map(([name, value]) => ({ cells: [name, String(value)] })),
)}
<h2>Record</h2>
<p>Seconds since the launch was prepared.${launch.dropped > 0 ? ` ${launch.dropped} entries were left out because the record was full.` : ''}</p>
${table(
  ['s', 'Kind', 'What', 'Detail'],
  entries.map(({ at, kind, title: what, detail, level }) => ({
    cells: [(at / 1_000).toFixed(2), kind, what, detail],
    mark: level,
  })),
)}
${picture === null ? '' : `<h2>Screenshot</h2>\n<img src="${escapeHtml(picture)}" alt="The game as it was shown">\n`}</body>
</html>
`;
}

function table(head: readonly string[], rows: readonly { readonly cells: readonly string[]; readonly mark?: string }[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const header = head.length === 0 ? '' : `<tr>${head.map((name) => `<th>${escapeHtml(name)}</th>`).join('')}</tr>`;
  const body = rows
    .map(
      ({ cells, mark }) =>
        `<tr class="${escapeHtml(mark ?? 'info')}">${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`,
    )
    .join('\n');
  return `<table>${header}${body}</table>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
