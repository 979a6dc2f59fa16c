/** Notices that a host says nothing any more: it is asked for a beat while the page is looked at, and has so long to give it. */
export interface Heartbeat {
  /** Something came from the host. */
  heard(): void;
  /** Something was asked of the host, so that something has to come. */
  expect(): void;
  /** The page is looked at again, or is not any more. */
  look(): void;
  /** There is nothing to be heard. */
  stop(): void;
}

export interface HeartbeatDeps {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Whether anybody could see the page: nobody else wants to know. */
  readonly visible: () => boolean;
  /** Asks for a beat. */
  readonly ask: () => void;
  readonly onSilent: () => void;
  /** The host was silent and is not. */
  readonly onBack: () => void;
}

/** Together below the five seconds within which a person is told. */
const restMs = 2_000;
const patienceMs = 2_250;
/** What came while the page itself was held up is read before the host is called silent. */
const secondLookMs = 250;
/** Later than this by so much, it was the page that stood still. */
const ownDelayMs = 1_000;

export function createHeartbeat({ now, later, visible, ask, onSilent, onBack }: HeartbeatDeps): Heartbeat {
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
      }, secondLookMs);
    }, patienceMs);
  }

  function beat(): void {
    ask();
    wait();
  }

  return {
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
    expect() {
      if (!waits) wait();
    },
    look() {
      if (visible() && !waits) beat();
    },
    stop() {
      callOff?.();
      callOff = null;
      waits = false;
      silent = false;
    },
  };
}
