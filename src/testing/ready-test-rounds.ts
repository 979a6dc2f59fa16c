import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signerFiles, signerVectors } from '../main/core/doctor/signer.ts';
import { frameworks, type Verdicts } from './frameworks.ts';

/** A run of a ready test by its framework. */
export interface ReadyTestRound {
  readonly framework: string;
  /** `as written`, or the mistake in the signing code. */
  readonly signer: string;
  readonly passed: number;
  readonly failed: number;
  /** Cases with another verdict than they should have, and why a framework did not run. */
  readonly problems: readonly string[];
}

/**
 * Has each framework run its ready test as `croupier doctor --write-tests` writes it, and again with each usual mistake in the signing code: then
 * the cases must fail in which the mistake shows, and no others.
 */
export function readyTestRounds(onRound: (round: ReadyTestRound) => void): void {
  const cases = signerVectors().filter(({ edge }) => !edge);
  const ids = cases.map(({ id }) => id);
  for (const { name, packages, file, wrong, run } of frameworks) {
    for (const mistake of [null, ...wrong]) {
      const shown = { framework: name, signer: mistake?.name ?? 'as written' };
      try {
        const verdicts = inFolder(file, mistake, (folder) => run(folder, ids));
        const passed = [...verdicts.values()].filter(Boolean).length;
        const fails = cases.filter(({ dataJson }) => dataJson !== null && mistake?.shows(dataJson) === true).map(({ id }) => id);
        if (mistake !== null && fails.length === 0) throw new Error('no case shows this mistake');
        onRound({ ...shown, passed, failed: verdicts.size - passed, problems: problemsOf(ids, new Set(fails), verdicts) });
      } catch (error) {
        onRound({ ...shown, passed: 0, failed: 0, problems: [`did not run (${packages}): ${String(error)}`] });
      }
    }
  }
}

function inFolder(
  file: string,
  mistake: { readonly right: string; readonly wrong: string } | null,
  run: (folder: string) => Verdicts,
): Verdicts {
  const folder = mkdtempSync(join(tmpdir(), 'croupier-ready-tests-'));
  try {
    for (const [name, text] of signerFiles()) {
      if (name === file && mistake !== null && !text.includes(mistake.right)) throw new Error(`${file} lacks ${mistake.right}`);
      // Not a text in place of the function: `$data` of PHP would be read as a pattern.
      writeFileSync(
        join(folder, name),
        name === file && mistake !== null ? text.replace(mistake.right, () => mistake.wrong) : text,
      );
    }
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function problemsOf(ids: readonly string[], fails: ReadonlySet<string>, verdicts: Verdicts): string[] {
  const unknown = [...verdicts.keys()].filter((id) => !ids.includes(id));
  return [
    ...unknown.map((id) => `${id}: not a case`),
    ...ids.flatMap((id) => {
      const passed = verdicts.get(id);
      if (passed === undefined) return [`${id}: did not run`];
      return passed === fails.has(id) ? [`${id}: ${passed ? 'passed' : 'failed'}`] : [];
    }),
  ];
}
