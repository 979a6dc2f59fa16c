import { describe, expect, it, vi } from 'vitest';
import { createAgentLink } from './agent-link.ts';
import { readyId, type AgentResult, type AgentProcess, type AgentReply, type AgentRequest } from './agent-messages.ts';

/** Creates agents that reply and end when the test wants it. */
function agents() {
  const started: { asked: AgentRequest[]; killed: number; reply: (reply: AgentReply) => void; exit: () => void }[] = [];
  return {
    started,
    spawn(): AgentProcess {
      const agent: (typeof started)[number] = { asked: [], killed: 0, reply: () => undefined, exit: () => undefined };
      started.push(agent);
      return {
        post: (request) => void agent.asked.push(request),
        onReply: (listener) => void (agent.reply = listener),
        onExit: (listener) => void (agent.exit = listener),
        kill: () => void agent.killed++,
      };
    },
  };
}

const named = 'The process that is asked';
const silence = (seen: string) => `Silent ${seen}.`;
const ready: AgentReply = { id: readyId, ok: true, value: null };
const probe = { op: 'probe' } as const;
const ok = (id: number, value: AgentResult): AgentReply => ({ id, ok: true, value });

describe('createAgentLink', () => {
  it('gives each question its own answer, whichever comes first, and takes no notice of another', async () => {
    const { started, spawn } = agents();
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 60_000 });
    const answers = [link.ask(probe), link.ask({ op: 'drop', account: 'a' })];
    expect(started).toHaveLength(1);
    const [agent] = started;
    expect(agent?.asked).toEqual([
      { id: 1, op: 'probe' },
      { id: 2, op: 'drop', account: 'a' },
    ]);
    agent?.reply(ok(7, 'nobody’s'));
    agent?.reply(ok(2, 'second'));
    agent?.reply({ id: 1, ok: false, fault: 'locked', message: 'Unlock it.' });
    expect(await answers[1]).toBe('second');
    await expect(answers[0]).rejects.toMatchObject({
      code: 'key_unavailable',
      message: 'Unlock it.',
      details: { reason: 'locked' },
    });
  });

  it('ends an agent that is asked nothing, and starts another for the next question', async () => {
    const { started, spawn } = agents();
    const lost: number[] = [];
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 60_000, onLost: () => lost.push(started.length) });
    link.end();
    expect(started).toHaveLength(0);
    link.start();
    link.start();
    const answer = link.ask(probe);
    expect(started).toHaveLength(1);
    link.end();
    expect(started[0]?.killed).toBe(0);
    started[0]?.reply(ok(1, null));
    await answer;
    link.end();
    link.end();
    expect(started[0]?.killed).toBe(1);
    started[0]?.exit();
    expect(lost).toEqual([]);
    const next = link.ask(probe);
    expect(started).toHaveLength(2);
    started[1]?.exit();
    await expect(next).rejects.toMatchObject({
      details: { reason: 'ended' },
      message: `${named} ended unexpectedly. Try again.`,
    });
    expect(lost).toEqual([2]);
  });

  it('leaves what an agent that ended late was asked to the one that answers now', async () => {
    const { started, spawn } = agents();
    const lost: number[] = [];
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 20, onLost: () => lost.push(started.length) });
    const silent = link.ask(probe);
    started[0]?.reply(ready);
    await expect(silent).rejects.toMatchObject({
      message: expect.stringMatching(/^Silent within 0\.0[24] s/),
      details: { reason: 'not_answering' },
    });
    expect(started[0]?.killed).toBe(1);
    expect(lost).toEqual([1]);
    const next = link.ask(probe);
    started[0]?.reply(ok(2, 'of the one that was killed'));
    started[0]?.exit();
    started[1]?.reply(ok(2, 'of the new one'));
    expect(await next).toBe('of the new one');
    expect(lost).toEqual([1]);
  });

  it('counts no time before an agent listens', async () => {
    const { started, spawn } = agents();
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 1 });
    const answer = link.ask(probe);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(started[0]?.killed).toBe(0);
    started[0]?.reply(ready);
    started[0]?.reply(ok(1, 'late'));
    expect(await answer).toBe('late');
  });

  it('fails only the question that got no reply where the agent holds what would be lost', async () => {
    const { started, spawn } = agents();
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 20, lives: true, onLost: () => expect.unreachable() });
    const silent = link.ask(probe);
    started[0]?.reply(ready);
    await expect(silent).rejects.toMatchObject({ details: { reason: 'not_answering' } });
    const next = link.ask(probe);
    started[0]?.reply(ok(1, 'of the question that was given up'));
    started[0]?.reply(ok(2, 'of the next'));
    expect(await next).toBe('of the next');
    expect([started.length, started[0]?.killed]).toEqual([1, 0]);
  });

  it('fails each question of an agent that ended, and none that was answered', async () => {
    const { started, spawn } = agents();
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 60_000 });
    const asked = [link.ask(probe), link.ask(probe), link.ask(probe)];
    started[0]?.reply(ok(2, 'answered'));
    started[0]?.exit();
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  });

  it('tries again with the question where an agent could not be started before', async () => {
    const { started, spawn } = agents();
    let fails = true;
    const link = createAgentLink({
      deadlineMs: 60_000,
      named,
      silence,
      spawn() {
        if (fails) throw new Error('EAGAIN');
        return spawn();
      },
    });
    link.start();
    await expect(link.ask(probe)).rejects.toMatchObject({ message: expect.stringMatching(`^${named} could not be started`) });
    fails = false;
    const answer = link.ask(probe);
    started[0]?.reply(ok(1, null));
    expect(await answer).toBeNull();
  });

  it('waits at its end for every agent to be gone, and starts none afterwards', async () => {
    const { started, spawn } = agents();
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 60_000 });
    await createAgentLink({ spawn, named, silence, deadlineMs: 60_000 }).close();
    const first = link.ask(probe);
    started[0]?.reply(ok(1, null));
    await first;
    link.end();
    const asked = link.ask(probe);
    let closed = false;
    const closing = link.close().then(() => (closed = true));
    await expect(asked).rejects.toMatchObject({ details: { reason: 'closed' } });
    expect(started[1]?.killed).toBe(1);
    started[1]?.exit();
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    started[0]?.exit();
    await closing;
    link.start();
    await expect(link.ask(probe)).rejects.toMatchObject({
      details: { reason: 'closed' },
      message: expect.stringContaining('no longer uses keys'),
    });
    expect(started).toHaveLength(2);
  });

  it('does not wait for ever for an agent that nobody reports as gone', async () => {
    const { started, spawn } = agents();
    const link = createAgentLink({ spawn, named, silence, deadlineMs: 60_000 });
    link.start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
    try {
      const closing = link.close();
      vi.advanceTimersByTime(1_000);
      await closing;
    } finally {
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
    expect(started[0]?.killed).toBe(1);
  });
});
