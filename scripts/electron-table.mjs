// `node scripts/electron-table.mjs`: writes the table of the double of Electron into its decision, from what stands beside the double.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { memberRules, sourceCommit } from '../e2e/electron-double/members.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'docs', 'decisions', '0005-electron-double.md');
const head = '| Member | Electron 45 | The double | Source | Spec |\n| --- | --- | --- | --- | --- |';

/** Writes the places in one file together. */
function sources(list) {
  const files = new Map();
  for (const place of list.split(', ')) {
    const [file, line = ''] = place.split(/:(?=\d+$)/);
    files.set(file, [...(files.get(file) ?? []), ...(line === '' ? [] : [line])]);
  }
  return [...files].map(([file, lines]) => (lines.length === 0 ? file : `${file}:${lines.join(', ')}`)).join('; ');
}

/** Returns the table. */
function electronTable() {
  const rows = memberRules.map(({ members, rule, double, source, spec }) =>
    [`\`${members.replaceAll(', ', '`, `')}\``, rule, double ?? 'The same', source ? sources(source) : '_assumed_', spec].join(
      ' | ',
    ),
  );
  return [head, ...rows.map((row) => `| ${row} |`)].join('\n');
}

/** Returns the decision with the table of today. */
export function decisionWithTable(text) {
  const [before = ''] = text.split(/^<!-- prettier-ignore -->$/m);
  return `${before}<!-- prettier-ignore -->\n${electronTable()}\n\nLines are those of electron/electron at ${sourceCommit.slice(0, 10)} (August 2026).\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(page, decisionWithTable(readFileSync(page, 'utf8')));
