import type { ProbeId } from '../ipc/outputs/probes.ts';
import { bodyOf, wrongHashCode, wrongIdentityCode } from './probe.ts';
import type { SeenProbe } from './probe.ts';

type ProbeReply = 'yes' | 'no' | 'unclear';

/** The questions whose answer is the code itself; all others ask for a hash that passes. */
const byCode: Partial<Record<ProbeId, readonly [yes: number | null, no: number | null]>> = {
  wrongHash: [wrongHashCode, null],
  control: [wrongHashCode, null],
  bothWrong: [wrongHashCode, wrongIdentityCode],
};

/** Reads what the calls of a plan show. It depends on the calls alone, in whatever order they came and wherever the plan stopped. */
export interface Evidence {
  /** Null if the question was not asked. */
  readonly seen: (id: ProbeId) => SeenProbe | null;
  readonly all: (id: ProbeId) => readonly SeenProbe[];
  /** Returns the answer of one call; `unclear` for a yes without its negative control. */
  readonly reply: (seen: SeenProbe) => ProbeReply;
  /** Returns whether a wrong hash of the same payload gets the same code, so that something before the hash rejects the call. */
  readonly isBeforeHash: (seen: SeenProbe) => boolean;
  /** Returns the call that answered the question with yes; null if there is none. */
  readonly yes: (id: ProbeId) => SeenProbe | null;
  readonly no: (id: ProbeId) => SeenProbe | null;
  /** IDs of calls, with those of the negative controls on which they rest. */
  readonly calls: (...of: readonly (SeenProbe | null)[]) => number[];
}

export function readEvidence(steps: readonly SeenProbe[]): Evidence {
  const isControl = ({ probe }: SeenProbe) => probe.id === 'control' || probe.id === 'wrongHash';
  const controlOf = ({ probe }: SeenProbe) => {
    const body = bodyOf(probe);
    return steps.find((one) => isControl(one) && bodyOf(one.probe) === body) ?? null;
  };
  const all = (id: ProbeId) => steps.filter(({ probe }) => probe.id === id);

  function reply(seen: SeenProbe): ProbeReply {
    const { probe, response } = seen;
    const codes = byCode[probe.id];
    if (codes !== undefined) {
      const [yes, no] = codes;
      return response.code === yes ? 'yes' : no === null || response.code === no ? 'no' : 'unclear';
    }
    if (response.code === wrongHashCode) return 'no';
    return controlOf(seen)?.response.code === wrongHashCode ? 'yes' : 'unclear';
  }
  const replied = (id: ProbeId, wanted: ProbeReply) => all(id).find((seen) => reply(seen) === wanted) ?? null;

  return {
    seen: (id) => all(id).at(-1) ?? null,
    all,
    reply,
    isBeforeHash: ({ probe, response }) =>
      response.code !== wrongHashCode &&
      steps.some(
        ({ probe: { id, operation, text }, response: { code } }) =>
          id === 'control' && operation === probe.operation && text === probe.text && code === response.code,
      ),
    yes: (id) => replied(id, 'yes'),
    no: (id) => replied(id, 'no'),
    calls(...of) {
      const ids = of.flatMap((seen) => {
        if (seen === null) return [];
        const control = reply(seen) === 'yes' ? controlOf(seen) : null;
        return [seen.response.callId, ...(control === null ? [] : [control.response.callId])];
      });
      return [...new Set(ids)].sort((one, other) => one - other);
    },
  };
}

/** Returns the call that passed with key and time alone, as it was at first; null if there is none. */
export function passedTime({ yes }: Evidence): SeenProbe | null {
  return yes('right') ?? yes('otherOrder') ?? yes('serverClock') ?? yes('otherZone');
}
