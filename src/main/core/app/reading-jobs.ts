import { readers, type Kind } from '#shared/model/readers.ts';
import type { Reading, ReadingTable } from '../untrusted/jobs.ts';
import { createThreads, type ThreadsDeps } from '../untrusted/threads.ts';

/** Jobs of the threads that read untrusted text. A job gets plain data and bytes, keeps nothing, and returns little. */
export const jobs = {
  'authorities.find': async () => (await import('../network/authorities.ts')).findAuthorities,
  'catalogue.games': async () => (await import('../catalogue/read-games.ts')).readGamesJob,
  'collections.committed': async () => (await import('../collections/git/git-marks.ts')).readCommitted,
  'collections.conflict': async () => (await import('../collections/git/conflict-versions.ts')).conflictVersions,
  'collections.readFile': async () => (await import('../collections/file-jobs.ts')).readFileJob,
  'collections.writeFile': async () => (await import('../collections/file-jobs.ts')).writeFileJob,
  'example.mask': async () => (await import('../collections/mask-example.ts')).maskExample,
  'imports.hash': async () => (await import('../formats/read/signing-check.ts')).readHash,
  'imports.plan': async () => (await import('../formats/read/plan-import.ts')).planFiles,
  'imports.secrets': async () => (await import('../formats/read/take-secrets.ts')).takeSecrets,
  'launch.network': async () => (await import('../evidence/network-har.ts')).networkHar,
  'launch.read': async () => (await import('../launches/read-launch.ts')).readLaunchJob,
  'launch.token': async () => (await import('../launches/new-token.ts')).newTokenJob,
  'pac.decide': async () => (await import('../network/pac-job.ts')).decidePac,
  'packs.read': async () => (await import('../packs/read-pack.ts')).readPack,
  'passed.read': async () => (await import('../gateway/read-request.ts')).readPassed,
  'pasted.read': async () => (await import('../formats/pasted/recognise.ts')).readPasted,
  'response.evaluate': async () => (await import('../collections/checks/evaluate-response.ts')).evaluateJob,
  'response.read': async () => (await import('../calls/read-response.ts')).readResponse,
  'rounds.records': async () => (await import('../calls/read-rounds.ts')).readRecords,
  'rounds.replay': async () => (await import('../calls/read-rounds.ts')).readReplay,
  'runs.report': async () => (await import('../runs/reports/reports.ts')).writeReport,
} as const satisfies ReadingTable & Readonly<Record<Kind<'job'>, unknown>>;

export function createReading(deps: Pick<ThreadsDeps<ReadingTable>, 'program' | 'later'>): Reading {
  return createThreads({ ...deps, table: jobs, limits: readers });
}
