// `npm run bench [-- doctor|call|memory|start|runs|page|rest|gateway|wallet|games|history|exports …]`: ratios against a bare baseline of the
// same run. Without names, everything. `--write` puts the tables into `docs/figures.md`.
// `-- --gate`: what calls and starts cost against `budgets.json`; twice a budget fails. `-- --gate=whole`: more than the budget fails.
import { availableParallelism, cpus } from 'node:os';
import budgets from './budgets.json' with { type: 'json' };
import { judged, tableOf, writeTable } from './measure.ts';

const suites = {
  doctor: ['The search for the mistake in a hash', async () => (await import('./doctor.ts')).measureDoctor()],
  call: ['One signed call through core', async () => (await import('./call.ts')).measureCalls()],
  memory: ['What calls leave in memory', async () => (await import('./call.ts')).measureMemory()],
  start: ['Command line, process start to result', async () => (await import('./start.ts')).measureStart()],
  runs: ['Collections: 1,000 signed calls', async () => (await import('./runs.ts')).measureRuns()],
  history: ['The history at 100,000 calls of 4 kB', async () => (await import('./history.ts')).measureHistory(100_000)],
  exports: ['Exports of calls of 4 kB with tokens of their own', async () => (await import('./exports.ts')).measureExports()],
  page: ['The page', async () => (await import('./page.ts')).measurePage()],
  rest: ['The page at rest with a long payload', async () => (await import('./rest.ts')).measureRest()],
  gateway: ['The gateway, between a client and a peer', async () => (await import('./gateway.ts')).measureGateway()],
  wallet: ['The wallet cases', async () => (await import('./wallet.ts')).measureWallet()],
  games: ['The games', async () => (await import('./games.ts')).measureGames()],
};

/**
 * Measures what a call and a start cost, as medians of three runs, and prints each figure beside its budget, a ratio or an amount. Returns
 * whether each is within its budget `times` over. Fails if a figure has no budget, or a budget no figure.
 */
async function keepWithin(times) {
  const [{ measureCalls }, { measureStart }] = await Promise.all([import('./call.ts'), import('./start.ts')]);
  const figures = [...(await measureCalls(3)), ...(await measureStart(3))];
  const names = figures.map(({ name }) => name);
  const apart = [...names.filter((name) => !(name in budgets)), ...Object.keys(budgets).filter((name) => !names.includes(name))];
  if (apart.length > 0) throw new Error(`These have a figure or a budget alone: ${apart.join('; ')}`);
  const over = figures.filter((figure) => {
    const [value, budget] = [judged(figure), budgets[figure.name]];
    const isOver = (figure.atLeast ? budget / value : value / budget) > times;
    console.log(`${isOver ? 'OVER' : 'ok  '} ${figure.name}: ${value.toFixed(2)}, budget ${budget}`);
    return isOver;
  });
  if (over.length > 0)
    console.log(
      `${over.length} figures are over ${times === 1 ? 'the budget' : `${times} times the budget`} in bench/budgets.json.`,
    );
  return over.length === 0;
}

const given = process.argv.slice(2);
const wanted = given.filter((name) => !name.startsWith('--'));
const options = given.filter((name) => name.startsWith('--'));
const unknown = [
  ...wanted.filter((name) => !(name in suites)),
  ...options.filter((name) => !['--write', '--gate', '--gate=whole'].includes(name)),
];
if (unknown.length > 0) {
  console.error(
    `No benchmark or option named ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}, --write, --gate, --gate=whole`,
  );
  process.exit(2);
}
const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
console.log(machine);
if (options.some((name) => name.startsWith('--gate')))
  process.exitCode = (await keepWithin(options.includes('--gate=whole') ? 1 : 2)) ? 0 : 1;
else
  for (const [name, [title, measure]] of Object.entries(suites)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const table = tableOf(await measure());
    console.log('\n###', title);
    console.log(`\n${table}`);
    if (options.includes('--write')) writeTable(name, table, machine);
  }
