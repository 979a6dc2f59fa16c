// `npm run bench [-- json|doctor|call|start|runs|import|page|crowd|rest|input|games|history|forget|retention|search|exports|history-million …]`: ratios against a bare baseline of the same run.
// Without names, everything but the million, which takes half an hour and 10 GB of disk. With CROUPIER_BENCH_HISTORY, a folder, the
// histories that it fills stay there, and the next run measures them at once.
import { availableParallelism, cpus } from 'node:os';
import { printFigures } from './measure.ts';

const keptHistories = process.env['CROUPIER_BENCH_HISTORY'] ?? null;
const suites = {
  json: ['Exact JSON', async () => (await import('./json.ts')).measureJson()],
  doctor: ['The search for the mistake in a hash', async () => (await import('./doctor.ts')).measureDoctor()],
  call: ['One signed call through core', async () => (await import('./call.ts')).measureCalls()],
  start: ['Command line, process start to result', async () => (await import('./start.ts')).measureStart()],
  runs: ['Collections: 1,000 signed calls', async () => (await import('./runs.ts')).measureRuns()],
  history: [
    'The history at 100,000 calls of 4 kB',
    async () => (await import('./history.ts')).measureHistory(100_000, keptHistories),
  ],
  'history-million': [
    'The history at 1,000,000 calls of 4 kB',
    async () => (await import('./history.ts')).measureHistory(1_000_000, keptHistories),
  ],
  forget: [
    'Removing every other one of 100,000 calls of 4 kB for good',
    async () => (await import('./forget.ts')).measureForget(Number(process.env['CROUPIER_BENCH_FORGET'] ?? 100_000)),
  ],
  search: [
    'Searches in a history that is not indexed',
    async () => (await import('./search.ts')).measureSearches(Number(process.env['CROUPIER_BENCH_SEARCH'] ?? 20_000)),
  ],
  exports: ['Exports of calls of 4 kB with tokens of their own', async () => (await import('./exports.ts')).measureExports()],
  import: ['An import of 1,500 requests', async () => (await import('./import.ts')).measureImport()],
  retention: [
    'A limit that removes three quarters of 100,000 calls of 2 kB',
    async () => (await import('./retention.ts')).measureRetention(100_000),
  ],
  page: ['The page', async () => (await import('./page.ts')).measurePage()],
  crowd: ['A crowded home: what is drawn, and the longest task', async () => (await import('./crowd.ts')).measureCrowd()],
  rest: ['The page at rest with a long payload', async () => (await import('./rest.ts')).measureRest()],
  input: ['Input that could stop the program', async () => (await import('./input.ts')).measureInput()],
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
  if (wanted.length > 0 ? !wanted.includes(name) : name === 'history-million') continue;
  printFigures(title, await measure());
}
