import { expect, it } from 'vitest';
import { chooseSeed } from '#testing/seeded-random.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { torture } from '../torture/torture.ts';

describeWithTool('python3', 'two hosts and a command line on one home', () => {
  it('lose no call, repeat none and say nothing false of one, whatever happens to them', async () => {
    const only = ['kill everything', 'kill the key agent', 'remove the home', 'damage the history'] as const;
    const report = await torture({ rounds: only.length, seed: chooseSeed(), only });
    expect(report).toMatchObject({ lost: [], repeated: [], false: [], damaged: [], problems: [], skipped: [] });
    expect(report.received).toBeGreaterThan(20);
    expect(report.answered).toBeGreaterThan(10);
  });
});
