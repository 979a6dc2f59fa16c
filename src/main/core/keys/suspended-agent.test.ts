import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { canSuspend, resumeAfter, untilStopped } from '#testing/suspension.ts';

const driver = join(import.meta.dirname, '../../../testing/suspended-agent-driver.ts');
/** Enough for an agent to start on a machine that is busy with others: the first question has this deadline, too. */
const deadlineMs = 1_500;

describe.runIf(canSuspend)('a program that was suspended for longer than the agent may take', () => {
  it('reads the reply that has come and keeps the agent with its keys', async () => {
    const child = spawn(process.execPath, [driver, String(deadlineMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const printed = text(child.stdout);
    await untilStopped(child.pid ?? 0);
    await resumeAfter(child, deadlineMs + 200);
    expect(JSON.parse(await printed)).toEqual({
      result: createHash('sha256').update('the keytext').digest('hex'),
      started: 1,
    });
  });
});
