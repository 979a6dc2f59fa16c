// `npm run cases-list`: writes the list of docs/wallet.md from the cases.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { allCases } from '../src/shared/wallet/cases/all-cases.ts';
import { caseGroups } from '../src/shared/wallet/run-facts.ts';

const file = 'docs/wallet.md';
const grades = { required: 'Required', customary: 'Customary', open: 'Open' };

/** Returns the list: each group with its cases by their grade and section, in the order in which they run. */
export function caseList() {
  const listed = ({ id, name }) => `\`${id}\` ${name}`;
  return Object.entries(caseGroups)
    .flatMap(([group, title]) => {
      const own = allCases().filter((one) => one.group === group);
      const items = Object.entries(grades).flatMap(([grade, word]) => {
        const some = own.filter((one) => one.grade === grade);
        const sections = Map.groupBy(some, ({ section }) => (grade === 'customary' || section === '' ? '' : ` (${section})`));
        return [...sections].map(([section, cases]) => `- ${word}${section}: ${cases.map(listed).join('; ')}`);
      });
      return own.length === 0 ? [] : [`### ${title}: \`${group}\`\n\n${items.join('\n')}\n`];
    })
    .join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/(\n## Cases\n\n.*\n)[^]*$/, (_, head) => `${head}\n${caseList()}`),
  );
}
