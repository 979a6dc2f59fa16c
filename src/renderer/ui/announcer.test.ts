import { describe, expect, it } from 'vitest';
import { createAnnouncer } from './announcer.ts';

function setUp() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const announcer = createAnnouncer((run, milliseconds) => void timers.push({ at: now + milliseconds, run }));
  const said: string[] = [];
  let known = 0;
  announcer.watch(() => {
    for (const { id, text, urgent } of announcer.lines()) {
      if (id <= known) continue;
      known = id;
      said.push(urgent ? `${text}!` : text);
    }
  });
  return {
    ...announcer,
    said,
    pass(milliseconds: number) {
      const end = now + milliseconds;
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}

describe('the announcer', () => {
  it('says each thing once, in order, and the same words again if they are news', () => {
    const { say, said } = setUp();
    say('Saved bet.yaml.');
    say('');
    say('No connection.', { urgent: true });
    say('Saved bet.yaml.');
    expect(said).toEqual(['Saved bet.yaml.', 'No connection.!', 'Saved bet.yaml.']);
  });

  it('takes out of the page what was so for a while, and nothing else', () => {
    const { say, sayWhile, said, lines } = setUp();
    const loaded = sayWhile('Loading the history');
    say('Saved.');
    loaded();
    expect(said).toEqual(['Loading the history', 'Saved.']);
    expect(lines().map(({ text }) => text)).toEqual(['Saved.']);
  });

  it('keeps a text in the page for ten seconds, and the newest until another comes', () => {
    const { say, lines, pass } = setUp();
    const texts = () => lines().map(({ text }) => text);
    say('Saved.');
    pass(5_000);
    say('Sent.');
    pass(4_999);
    expect(texts()).toEqual(['Saved.', 'Sent.']);
    pass(1);
    expect(texts()).toEqual(['Sent.']);
    pass(60_000);
    expect(texts()).toEqual(['Sent.']);
    say('Answered.');
    pass(10_000);
    expect(texts()).toEqual(['Answered.']);
  });

  it('leaves out what comes too fast on one topic, never the last, and holds up no other topic', () => {
    const { say, said, pass } = setUp();
    for (const count of [9, 8, 7]) say(`${count} results`, { topic: 'palette' });
    say('1 of 4 requests', { topic: 'run' });
    expect(said).toEqual(['9 results', '1 of 4 requests']);
    pass(5_000);
    expect(said.slice(2)).toEqual(['7 results']);
    pass(60_000);
    say('6 results', { topic: 'palette' });
    expect(said.slice(3)).toEqual(['6 results']);
  });

  it('says together how many came meanwhile', () => {
    const { sayMore, said, pass } = setUp();
    const words = (count: number) => `${count} more`;
    for (let entry = 0; entry < 1_000; entry += 1) {
      sayMore('record', 1, words);
      pass(10);
    }
    pass(60_000);
    expect(said).toEqual(['1 more', '499 more', '500 more']);
  });
});
