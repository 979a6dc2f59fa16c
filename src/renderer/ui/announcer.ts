/** One text for a screen reader. `urgent` interrupts what is being said. */
interface Announcement {
  readonly id: number;
  readonly text: string;
  readonly urgent: boolean;
  /** It is so only for a while, such as that something loads. */
  readonly passes: boolean;
}

/** Time between two texts of one topic, and the time that a text stays in the page if others follow, in milliseconds. */
const [restMs, shownMs] = [5_000, 10_000];

/**
 * Creates an announcer, which orders the page's announcements to a screen reader: the one way to say what has no place in the page, or was
 * seen to change there. Alerts and outputs in the page are for what is read again where it stands and nothing else says: a problem beside
 * its field, what could not be loaded, a value that is computed from a form. `later` starts a timer.
 */
export function createAnnouncer(later: (run: () => void, milliseconds: number) => void) {
  const listeners = new Set<() => void>();
  /** Topics that were said a moment ago, with what waits for its turn. */
  const resting = new Map<string, { say: (() => void) | null; count: number }>();
  let lines: readonly Announcement[] = [];
  let count = 0;

  function change(next: readonly Announcement[]): void {
    lines = next;
    for (const listener of listeners) listener();
  }

  function put(text: string, urgent: boolean, passes = false): number {
    count += 1;
    const id = count;
    // A line of its own, also for the same words: each is news.
    change([...lines, { id, text, urgent, passes }]);
    // The newest stays: somebody who missed it finds it at the end of the page.
    later(() => change(lines.filter((line) => line.id > id || line === lines.at(-1))), shownMs);
    return id;
  }

  function rest(topic: string): void {
    resting.set(topic, { say: null, count: 0 });
    later(() => {
      const next = resting.get(topic)?.say ?? null;
      if (next === null) return resting.delete(topic);
      next();
      rest(topic);
    }, restMs);
  }

  return {
    /** Says a text once, after those before it. Of texts of one topic, those that come too fast are left out, but never the last. */
    say(text: string, { urgent = false, topic }: { readonly urgent?: boolean; readonly topic?: string } = {}) {
      if (text === '') return;
      const waiting = topic === undefined ? undefined : resting.get(topic);
      if (waiting !== undefined) {
        waiting.say = () => put(text, urgent);
        return;
      }
      put(text, urgent);
      if (topic !== undefined) rest(topic);
    },
    /** Says what is so for a while. The function that it returns takes the text out of the page again. */
    sayWhile(text: string): () => void {
      const id = put(text, false, true);
      return () => change(lines.filter((line) => line.id !== id));
    },
    /** Says how many more there are of something that may come fast: those that came meanwhile together. */
    sayMore(topic: string, more: number, words: (count: number) => string) {
      const waiting = resting.get(topic);
      if (waiting === undefined) {
        put(words(more), false);
        rest(topic);
        return;
      }
      waiting.count += more;
      const all = waiting.count;
      waiting.say = () => put(words(all), false);
    },
    /** Returns the texts that are in the page for a screen reader now. */
    lines: (): readonly Announcement[] => lines,
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The page's own: things are said in a hundred places, and each would have to get it. */
export const announcer = createAnnouncer((run, milliseconds) => setTimeout(run, milliseconds));
