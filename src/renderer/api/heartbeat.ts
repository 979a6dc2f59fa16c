export interface HeartbeatDeps {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Returns whether somebody can see the page; a hidden page needs no beat. */
  readonly visible: () => boolean;
  /** Asks for a beat. */
  readonly ask: () => void;
  readonly onSilent: () => void;
  /** Called when a silent host says something again. */
  readonly onBack: () => void;
}

/** Both together stay below the five seconds within which the user must hear of it. */
const restMs = 2_000;
const patienceMs = 2_250;
/** Milliseconds in which messages that came while the page was held up are read, before the host counts as silent. */
const graceMs = 250;
/** Delay of a timer, in milliseconds, from which it was the page that stood still. */
const ownDelayMs = 1_000;

/**
 * Notices that a host has become silent: asks it for a beat while somebody looks at the page, and waits a bounded time for the
 * beat.
 */
export function createHeartbeat({ now, later, visible, ask, onSilent, onBack }: HeartbeatDeps) {
  let callOff: (() => void) | null = null;
  let waits = false;
  let silent = false;

  function plan(run: () => void, milliseconds: number): void {
    callOff?.();
    callOff = later(run, milliseconds);
  }

  function wait(): void {
    waits = true;
    const since = now();
    const passed = () => now() - since - patienceMs;
    const wasAway = () => passed() < 0 || passed() > ownDelayMs;
    plan(() => {
      if (wasAway()) return beat();
      plan(() => {
        if (wasAway()) return beat();
        callOff = null;
        silent = true;
        onSilent();
      }, graceMs);
    }, patienceMs);
  }

  function beat(): void {
    ask();
    wait();
  }

  return {
    /** Report that something came from the host. */
    heard() {
      waits = false;
      if (visible()) plan(beat, restMs);
      else {
        callOff?.();
        callOff = null;
      }
      if (!silent) return;
      silent = false;
      onBack();
    },
    /** Report that something was asked of the host, so that something has to come. */
    expect() {
      if (!waits) wait();
    },
    /** Report that the page came into sight or went out of it. */
    seen() {
      if (visible() && !waits) beat();
    },
    /** Ends it: nothing is to be heard. */
    stop() {
      callOff?.();
      callOff = null;
      waits = false;
      silent = false;
    },
  };
}
