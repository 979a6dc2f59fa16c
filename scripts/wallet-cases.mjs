// `npm run cases-list`: writes the table of docs/wallet.md from the cases.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { allCases } from '../src/shared/wallet/cases/all-cases.ts';
import { caseGroups } from '../src/shared/wallet/wallet-case.ts';
import { programOf } from './program-of.mjs';
import { spawnSync } from 'node:child_process';

const file = 'docs/wallet.md';

/** Returns the rows of the table: each group with its cases by their grade, those of one section behind it. */
export function caseRows() {
  const listed = ([section, cases]) => {
    const names = cases.map(({ id, name }) => `\`${id}\` ${name}`).join('; ');
    return section === '' ? names : `${section}: ${names}`;
  };
  return Object.entries(caseGroups).flatMap(([group, title]) => {
    const own = allCases().filter((one) => one.group === group);
    const cells = ['required', 'customary', 'open'].map((grade) => {
      const some = own.filter((one) => one.grade === grade);
      return [...Map.groupBy(some, ({ section }) => (grade === 'customary' ? '' : section))].map(listed).join('. ');
    });
    return own.length === 0 ? [] : [[`${title}: \`${group}\``, ...cells]];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const target = path.join(process.cwd(), file);
  const rows = [['Group', 'Required', 'Customary', 'Open point'], ['---', '---', '---', '---'], ...caseRows()];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  writeFileSync(
    target,
    readFileSync(target, 'utf8').replace(/(\n## Cases\n\n.*\n)[^]*$/, (_, head) => `${head}\n${table}`),
  );
  spawnSync(...programOf('oxfmt', [target]), { stdio: 'inherit' });
}
