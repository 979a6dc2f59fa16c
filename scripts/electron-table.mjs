// `node scripts/electron-table.mjs`: writes the table of the double of Electron into its decision, from what stands beside the double.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { memberRules, sourceCommit } from '../e2e/electron-double/members.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'docs', 'decisions', '0005-electron-double.md');
const head = '| Member | Electron 45 | The double | Source | Spec |\n| --- | --- | --- | --- | --- |';

/** Writes `A.b` and `A.c` as `A.{b,c}`. */
function grouped(members) {
  const owners = new Map();
  for (const member of members) {
    const [, owner = '', name = member] = /^(\w+\.)(\w+)$/.exec(member) ?? [];
    owners.set(owner, [...(owners.get(owner) ?? []), name]);
  }
  return [...owners].map(([owner, names]) =>
    owner !== '' && names.length > 1 ? `\`${owner}{${names.join(',')}}\`` : names.map((name) => `\`${owner}${name}\``).join(', '),
  );
}

/** Writes the lines of one file together. */
function sources(list) {
  const files = new Map();
  for (const place of list) {
    const [file, line = ''] = place.split(/:(?=\d+$)/);
    files.set(file, [...(files.get(file) ?? []), ...(line === '' ? [] : [line])]);
  }
  return [...files].map(([file, lines]) => (lines.length === 0 ? file : `${file}:${lines.join(', ')}`)).join('; ');
}

/** Returns the names of the files of specs in which one of the members is used: of rules, or else of the desktop. */
function specsOf(members) {
  const names = members.map((member) => /^new (\w+)|on\('([^']+)'\)|\.(\w+)$/.exec(member)?.slice(1).find(Boolean) ?? member);
  const uses = ({ text }) => names.some((name) => new RegExp(`[.'{ ]${name}\\b`).test(text));
  const found = specs.filter(uses);
  const rules = found.filter(({ isRule }) => isRule);
  return (
    (rules.length > 0 ? rules : found)
      .map(({ name }) => name)
      .slice(0, 3)
      .join(', ') || 'none'
  );
}

const specs = ['e2e', 'src/main/electron'].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((file) => /^desktop.*\.e2e\.ts$|^electron-host\.ts$|(?<!members)\.test\.ts$/.test(file))
    .map((file) => ({
      name: file.replace(/(?:\.e2e)?\.ts$/, ''),
      isRule: /rules/.test(file),
      text: readFileSync(path.join(root, folder, file), 'utf8'),
    })),
);

/** Returns the table. */
function electronTable() {
  const rows = memberRules.map(({ members, rule, double, source }) =>
    [grouped(members).join(', '), rule, double || 'The same', sources(source) || '_assumed_', specsOf(members)].join(' | '),
  );
  return [head, ...rows.map((row) => `| ${row} |`)].join('\n');
}

/** Returns the decision with the table of today. */
export function decisionWithTable(text) {
  const [before = ''] = text.split(/^<!-- prettier-ignore -->$/m);
  return `${before}<!-- prettier-ignore -->\n${electronTable()}\n\nLines are those of electron/electron at ${sourceCommit.slice(0, 10)} (August 2026).\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(page, decisionWithTable(readFileSync(page, 'utf8')));
