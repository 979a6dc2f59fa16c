import { rm } from 'node:fs/promises';
import { afterEach, beforeEach } from 'vitest';
import { createTestApp, temporaryFolder, type TestApp } from './app.ts';

/** Creates programs that share a home, in each test of a file one of its own; those that still run at its end are closed. */
export function programsOnHome() {
  let home = '';
  const running = new Set<TestApp>();
  beforeEach(async () => {
    home = await temporaryFolder();
  });
  afterEach(async () => {
    for (const program of running) await program.close();
    running.clear();
    await rm(home, { recursive: true });
  });
  return {
    home: () => home,
    async start(): Promise<TestApp> {
      const program = await createTestApp({ home });
      running.add(program);
      return program;
    },
    async end(program: TestApp): Promise<void> {
      running.delete(program);
      await program.close();
    },
  };
}
