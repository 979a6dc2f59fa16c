// `npm run measure`: how much there is to read, and how long the last `npm test` took here. Lines are those of git's files as the
// formatter lays them out.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(file));
const code = files.filter((file) => /\.(?:tsx?|mjs|css)$/.test(file));
const isTest = (file) => /\.test\.tsx?$/.test(file) || /^(?:src\/testing|e2e|scripts|bench)\//.test(file);
const isShipped = (file) => /^(?:src|bin|resources)\//.test(file) && !isTest(file);
const lines = (file) => readFileSync(file, 'utf8').split('\n').length - 1;
const words = (file) => (readFileSync(file, 'utf8').match(/\S+/g) ?? []).length;
const sum = (list, measure) => list.reduce((total, file) => total + measure(file), 0);
const show = (name, value, goal) =>
  console.log(`${name.padEnd(44)} ${value.toLocaleString('en', { maximumFractionDigits: 1 }).padStart(9)}   goal ${goal}`);

const shipped = code.filter(isShipped);
show('lines that ship', sum(shipped, lines), 'at most 118,000');
for (const ending of ['css', 'tsx', 'ts']) {
  const some = shipped.filter((file) => file.endsWith(`.${ending}`));
  console.log(`  ${`.${ending} in ${some.length} files`.padEnd(42)} ${sum(some, lines).toLocaleString('en').padStart(9)}`);
}
show('lines of tests, tools and benches', sum(code.filter(isTest), lines), 'at most 90,000');
const prose = files.filter((file) => /^(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$/.test(file));
show('words of prose', sum(prose, words), 'at most 45,000');

const results = 'test-results/suites.json';
if (existsSync(results)) {
  const { seconds, suites } = JSON.parse(readFileSync(results, 'utf8'));
  show('minutes of the last npm test', seconds / 60, 'at most 12 on two cores');
  for (const suite of suites) console.log(`  ${suite.name.padEnd(42)} ${suite.seconds.toFixed(0).padStart(9)} s`);
} else console.log('npm test has not run here');
console.log('Planted faults: npm run test:long -- mutation --sample 200 --seed 1, goal 90 %');
