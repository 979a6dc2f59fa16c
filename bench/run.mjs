// `npm run bench [-- json|call|start|page|games …]`: ratios against a bare baseline of the same run. Without names, everything.
import { availableParallelism, cpus } from 'node:os';
import { printFigures } from './measure.ts';

const suites = {
  json: ['Exact JSON', async () => (await import('./json.ts')).measureJson()],
  call: ['One signed call through core', async () => (await import('./call.ts')).measureCalls()],
  start: ['Command line, process start to result', async () => (await import('./start.ts')).measureStart()],
  page: ['The page', async () => (await import('./page.ts')).measurePage()],
  games: ['The games', async () => (await import('./games.ts')).measureGames()],
};
const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in suites)) {
    console.error(`No benchmark named ${name}. There are: ${Object.keys(suites).join(', ')}`);
    process.exit(2);
  }
}
console.log(`Node ${process.version}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown'}`);
for (const [name, [title, measure]] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  printFigures(title, await measure());
}
