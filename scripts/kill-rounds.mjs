// `npm run test:kill [-- ROUNDS]`: kills a program that writes a history, 1,000 times without another number; runs in minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { killRounds } from '../src/testing/kill-rounds.ts';

const rounds = Number(process.argv[2] ?? 1000);
const home = mkdtempSync(path.join(tmpdir(), 'croupier-kill-'));
const report = await killRounds(home, rounds, (round) => {
  if ((round + 1) % 100 === 0) console.log(`${round + 1} of ${rounds}`);
});
console.log(
  `${report.rounds} kills, ${report.acknowledged} acknowledged calls, ${report.lost.length} lost, ` +
    `${report.damaged.length} times damaged, ${report.unindexed.length} not indexed`,
);
for (const line of [...report.lost, ...report.damaged].slice(0, 20)) console.log(line);
const sound = report.lost.length === 0 && report.damaged.length === 0 && report.unindexed.length === 0;
if (sound) rmSync(home, { recursive: true });
else console.log(`Left for a look: ${home}`);
process.exitCode = sound ? 0 : 1;
