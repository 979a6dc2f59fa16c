// `npm run test:kill-saves [-- ROUNDS]`: kills a program that saves files of a collection, 1,000 times without another number; runs in minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { killSaves } from '../src/testing/kill-saves.ts';

const rounds = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(path.join(tmpdir(), 'croupier-kill-saves-'));
const report = await killSaves(folder, rounds, (round) => {
  if ((round + 1) % 100 === 0) console.log(`${round + 1} of ${rounds}`);
});
console.log(
  `${report.rounds} kills, ${report.acknowledged} acknowledged saves, ${report.torn.length} torn, ` +
    `${report.lost.length} lost, ${report.leftovers.length} leftovers`,
);
for (const line of [...report.torn, ...report.lost, ...report.leftovers].slice(0, 20)) console.log(line);
const sound = report.torn.length + report.lost.length + report.leftovers.length === 0;
if (sound) rmSync(folder, { recursive: true });
else console.log(`Left for a look: ${folder}`);
process.exitCode = sound ? 0 : 1;
