import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { describe, it } from 'vitest';

/** Returns the full path of a program on PATH, or of a library whose path it is; null if it is not installed. */
export function toolPath(name: string): string | null {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const suffix of suffixes) {
      const path = resolve(folder, name + suffix);
      if (folder !== '' && isProgram(path)) return path;
    }
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, /\.(?:jar|py)$/.test(path) ? constants.R_OK : constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the full path of a program that a test requires; throws with the program to install. */
export function requireTool(name: string): string {
  const path = toolPath(name);
  if (path === null) throw new Error(missing(name));
  return path;
}

function missing(name: string): string {
  return `${name} is not on PATH: install it to run these tests`;
}

/**
 * Declares a block of tests that need a program. Without it they are skipped, with the reason in their title; if `CI` is set they
 * fail, so that none is skipped there unnoticed.
 */
export function describeWithTool(name: string, title: string, tests: (path: string) => void): void {
  const path = toolPath(name);
  if (path !== null) {
    describe(title, () => tests(path));
  } else if (process.env['CI']) {
    describe(title, () => {
      it(`needs ${name}`, () => {
        throw new Error(missing(name));
      });
    });
  } else {
    describe.skip(`${title} (skipped: ${missing(name)})`, () => {
      it.skip(`needs ${name}`, () => {});
    });
  }
}
