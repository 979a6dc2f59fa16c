import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeySearch } from '#core/host/host.ts';
import { createAgentsInProcess } from '#testing/agents-in-process.ts';
import { secretForms } from '#testing/secret-forms.ts';
import { createKeysOnAgents, type KeysOnAgents } from '#testing/keys-on-agents.ts';
import type { Subject } from '#shared/doctor/model.ts';
import type { Match } from '#shared/doctor/search.ts';
import type { AgentProcess } from './agent-messages.ts';
import { createAgentSecrets } from './agent-secrets.ts';
import { forkAgent } from './fork-agent.ts';

const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const time = '20-11-2026 10:15:30';
const dataText = '{"exitURL":"https://a.example/b","n":1}';
const slashed = dataText.replaceAll('/', '\\/');

function subject(hash: string): Subject {
  const form = { unicode: 'escaped', objects: 'kept' } as const;
  return { time, dataText, ruleText: dataText, form, action: 'getLauncherURL', platform: '7', partnerId: '11', hash };
}

/** Goes on with a search to its end. */
async function toEnd(search: KeySearch): Promise<Match | null> {
  let match: Match | null = null;
  for (;;) {
    const { steps, ended } = await search.next();
    for (const step of steps) if (step.kind === 'ended') match = step.match ?? match;
    if (ended) return match;
  }
}

describe('a search on agents', () => {
  let made: KeysOnAgents;
  beforeEach(async () => {
    made = await createKeysOnAgents();
  });
  afterEach(() => made.close());

  it('finds the mistake by a key that is held, in an agent that is not the holder and ends with it', async () => {
    await made.keys.useKey('one', 'first key');
    const search = await made.keys.search('one', [], subject(sha(`first key${time}${slashed}`)));
    const match = await toEnd(search);
    expect(match?.ways[0]?.map(({ id }) => id)).toEqual(['slash.escaped']);
    expect(match?.input).toBe(`<PRIVATE_KEY>${time}${slashed}`);
    const [holder, searcher] = made.agents.started;
    expect(holder?.asked).not.toContain('search');
    expect(searcher?.asked.slice(0, 3)).toEqual(['opener', 'search', 'searchOn']);
    expect([holder?.isAlive(), searcher?.isAlive()]).toEqual([true, false]);
    expect(await made.keys.digest('one', [])).toBe(sha('first key'));
  });

  it('tries both keys of an environment that has two, whichever signs, and both of another one', async () => {
    await made.keys.setKey('one', 'older key');
    await made.keys.setKey('one', 'new key');
    await made.keys.setKey('other', 'its older key');
    await made.keys.setKey('other', 'its new key');
    const others = [{ id: 'other', name: 'Other' }];
    const found = async (key: string) => {
      const match = await toEnd(await made.keys.search('one', others, subject(sha(`${key}${time}${dataText}`))));
      return match?.ways[0]?.map(({ id, says }) => [id, says]);
    };
    expect(await found('older key')).toEqual([
      ['key.older', "Your backend uses this environment's older key, which doesn't sign now."],
    ]);
    await made.keys.choose('one', 'older');
    await made.keys.find(new TextEncoder().encode('a text'));
    expect(await found('new key')).toEqual([
      ['key.new', "Your backend uses this environment's new key, which doesn't sign now."],
    ]);
    expect(await found('its older key')).toEqual([
      ['key.other:Other', 'Your backend uses the key of another environment: Other.'],
    ]);
  });

  it('tries the keys of others only if they are open in this session', async () => {
    await made.keys.setKey('closed', 'closed key');
    await made.crash();
    await made.keys.useKey('one', 'first key');
    await made.keys.useKey('two', 'second key');
    const others = [
      { id: 'two', name: 'Staging' },
      { id: 'closed', name: 'Closed' },
      { id: 'none', name: 'None' },
    ];
    const found = await made.keys.search('one', others, subject(sha(`second key${time}${dataText}`)));
    expect(found.keys).toBe(2);
    expect((await toEnd(found))?.ways[0]?.[0]?.says).toBe('Your backend uses the key of another environment: Staging.');
    const unknown = await made.keys.search('one', others, {
      ...subject(sha(`closed key${time}${dataText}`)),
      dataText: null,
      ruleText: null,
    });
    for (let steps = 0; steps < 3; steps += 1) await unknown.next();
    unknown.end();
  });

  it('fetches its own key from the keychain, and says if there is none', async () => {
    await made.keys.setKey('kept', 'kept key');
    await made.crash();
    const search = await made.keys.search('kept', [], subject(sha(`kept key${time}${dataText}`).toUpperCase()));
    expect((await toEnd(search))?.ways[0]?.[0]?.id).toBe('spelling.upper');
    await expect(made.keys.search('nobody', [], subject('x'))).rejects.toMatchObject({ code: 'key_missing' });
  });

  it('ends at once when it is ended, and with the program', async () => {
    await made.keys.useKey('one', 'first key');
    const one = await made.keys.search('one', [], subject(sha('something else')));
    const other = await made.keys.search('one', [], subject(sha('something else')));
    await one.next();
    const step = one.next();
    one.end();
    await expect(step).rejects.toMatchObject({ code: 'key_unavailable' });
    expect(made.agents.started.map((agent) => agent.isAlive())).toEqual([true, false, true]);
    await made.secrets.close();
    await expect(other.next()).rejects.toMatchObject({ code: 'key_unavailable' });
    expect(made.agents.started.map((agent) => agent.isAlive())).toEqual([false, false, false]);
  });
});

it('a step of a search may take longer than what signs, for which a busy machine leaves it little', async () => {
  const agents = createAgentsInProcess();
  agents.library.silent = true;
  const later = Promise.withResolvers<void>();
  const secrets = createAgentSecrets({
    spawn() {
      const agent = agents.spawn();
      const isSearcher = agents.started.length === 2;
      const onReply: AgentProcess['onReply'] = (listener) =>
        agent.onReply((reply) => (isSearcher && reply.id > 2 ? void later.promise.then(() => listener(reply)) : listener(reply)));
      return { ...agent, onReply };
    },
    deadlineMs: 200,
  });
  try {
    await secrets.set('a', 'the key', 'session');
    const search = await secrets.search([{ account: 'a', version: '', name: null }], subject(sha('something else')));
    const step = search.next();
    // Asked after it, and given up.
    expect(await secrets.keychainMessage()).toContain('did not answer within');
    later.resolve();
    expect((await step).steps.length).toBeGreaterThan(0);
  } finally {
    await secrets.close();
  }
});

describe('a search in a process of its own', () => {
  it('keeps no call from being signed, whatever it is doing and whatever happens to it', async () => {
    const started: AgentProcess[] = [];
    const answers = Promise.withResolvers<void>();
    let isHolding = false;
    const secrets = createAgentSecrets({
      spawn() {
        const agent = forkAgent(join(import.meta.dirname, 'agent.ts'));
        started.push(agent);
        if (started.length === 1) return agent;
        // As if its step took as long as the test wants.
        const onReply: AgentProcess['onReply'] = (listener) =>
          agent.onReply((reply) => (isHolding ? void answers.promise.then(() => listener(reply)) : listener(reply)));
        return { ...agent, onReply };
      },
    });
    try {
      await secrets.set('a', 'the key', 'session');
      const found = await secrets.search([{ account: 'a', version: '', name: null }], subject(sha('something else')));
      isHolding = true;
      const step = found.next();
      expect(await secrets.digest('a', '', [])).toBe(sha('the key'));
      answers.resolve();
      const news = await step;
      expect(news.steps.length).toBeGreaterThan(0);
      for (const form of secretForms('the key')) expect(JSON.stringify(news)).not.toContain(form);
      const killed = found.next();
      started[1]?.kill();
      await expect(killed).rejects.toMatchObject({ code: 'key_unavailable' });
      expect(await secrets.digest('a', '', [])).toBe(sha('the key'));
    } finally {
      await secrets.close();
    }
  });

  it('lets everything else go first, above all what signs', async () => {
    const children: ChildProcess[] = [];
    const follow = (message: unknown) => void children.push((message as { process: ChildProcess }).process);
    subscribe('child_process', follow);
    const secrets = createAgentSecrets({ spawn: () => forkAgent(join(import.meta.dirname, 'agent.ts')) });
    try {
      await secrets.set('a', 'the key', 'session');
      await secrets.search([{ account: 'a', version: '', name: null }], subject(sha('something else')));
      const own = getPriority();
      // A machine that is busy may run the tests themselves behind everything else.
      const lower = Math.min(own + constants.priority.PRIORITY_BELOW_NORMAL, constants.priority.PRIORITY_LOW);
      expect(children.map(({ pid }) => getPriority(pid))).toEqual([own, lower]);
    } finally {
      unsubscribe('child_process', follow);
      await secrets.close();
    }
  });
});
