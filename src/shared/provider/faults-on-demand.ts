import { AppError } from '../errors.ts';
import { operationNames, type OperationName } from '../model/operations.ts';

/**
 * A change of what a request gets. `cut` ends the connection before the request is acted on, `cutAfter` in place of the response, `cutBody` in its
 * midst. `drip` sends the response byte by byte, and `repeat` the request a second time after so many milliseconds.
 */
type Effect =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'cutAfter' }
  | { readonly kind: 'cutBody' }
  | { readonly kind: 'drip' }
  | { readonly kind: 'repeat'; readonly ms: number };

/** A fault that somebody asked for. */
export interface Fault {
  readonly id: number;
  readonly where: OperationName | 'all';
  readonly effect: Effect;
  /** Requests that it still meets; null for all. */
  readonly left: number | null;
}

/** The faults that one request meets: a delay, and at most one of the others. */
export interface Met {
  readonly delayMs: number;
  readonly effect: Exclude<Effect, { kind: 'delay' }> | null;
}

/** Faults of nearly every request: none. */
export const nothingMet: Met = { delayMs: 0, effect: null };

/** The faults of a running provider. */
export type Faults = ReturnType<typeof createFaults>;

const longestDelayMs = 600_000;
const mostFaults = 100;

/** The form of a fault, for messages. */
const faultForm =
  'OPERATION=FAULT, then ,N for N requests, such as bet=500,2. FAULT is delay:MS, an HTTP status from 400 to 599, code:N, cut, cut-after, cut-body, drip or, in the gateway only, repeat:MS';

/** Reads `bet=500,2`. `repeats`: whoever causes it can send a request again. Fails with `invalid_input`. */
export function readFault(text: string, repeats = false): Omit<Fault, 'id'> {
  const refuse = (why: string) => new AppError('invalid_input', `${why} Write it as ${faultForm}.`);
  const [, where = '', what = '', times] = /^([A-Za-z]+)=([a-z0-9:-]+?)(?:,(\d{1,6}))?$/.exec(text) ?? [];
  if (where === '') throw refuse('The fault is incomplete.');
  const known = where === 'all' ? where : operationNames.find((name) => name === where);
  if (known === undefined) throw refuse(`There is no operation ${where}; use one of ${operationNames.join(', ')}, or all.`);
  const left = times === undefined ? null : Number(times);
  if (left === 0) throw refuse('A fault must apply to at least one request.');
  const effect = readEffect(what, refuse);
  if (effect.kind === 'repeat' && !repeats) throw refuse('Only the gateway can repeat a request.');
  return { where: known, effect, left };
}

/** Writes a fault as `readFault` reads it, without the number of requests. */
export function printFault({ where, effect }: Pick<Fault, 'where' | 'effect'>): string {
  const printed: { readonly [Kind in Effect['kind']]: (effect: Extract<Effect, { kind: Kind }>) => string } = {
    delay: ({ ms }) => `delay:${ms}`,
    status: ({ status }) => String(status),
    code: ({ code }) => `code:${code}`,
    cut: () => 'cut',
    cutAfter: () => 'cut-after',
    cutBody: () => 'cut-body',
    drip: () => 'drip',
    repeat: ({ ms }) => `repeat:${ms}`,
  };
  return `${where}=${(printed[effect.kind] as (effect: Effect) => string)(effect)}`;
}

function readEffect(what: string, refuse: (why: string) => AppError): Effect {
  if (what === 'cut') return { kind: 'cut' };
  if (what === 'cut-after') return { kind: 'cutAfter' };
  if (what === 'cut-body') return { kind: 'cutBody' };
  if (what === 'drip') return { kind: 'drip' };
  if (/^[45]\d\d$/.test(what)) return { kind: 'status', status: Number(what) };
  const [, kind, number = ''] = /^(delay|code|repeat):(-?\d{1,9})$/.exec(what) ?? [];
  if (kind === 'code') return { kind, code: Number(number) };
  if (kind !== 'delay' && kind !== 'repeat') throw refuse(`There is no fault ${what}.`);
  const ms = Number(number);
  if (ms < 1 || ms > longestDelayMs) throw refuse('A delay must be from 1 to 600000 milliseconds.');
  return { kind, ms };
}

export function createFaults(first: readonly Omit<Fault, 'id'>[] = []) {
  let faults: readonly Fault[] = [];
  let next = 1;

  /** Adds what `readFault` read. */
  function add(fault: Omit<Fault, 'id'>): void {
    if (faults.length >= mostFaults)
      throw new AppError('invalid_input', `There are ${mostFaults} faults already. Remove some first.`);
    faults = [...faults, { ...fault, id: next }];
    next += 1;
  }

  for (const fault of first) add(fault);
  return {
    list: (): readonly Fault[] => faults,
    add,
    /** Returns false if there is no such fault. */
    remove(id: number): boolean {
      const before = faults.length;
      faults = faults.filter((fault) => fault.id !== id);
      return faults.length < before;
    },
    clear(): void {
      faults = [];
    },
    /** Counts a request and returns what it meets; null for a request of no known operation. */
    meet(operation: OperationName | null): Met {
      const here = faults.filter(({ where }) => where === 'all' || where === operation);
      const delays = here.filter(({ effect }) => effect.kind === 'delay');
      const other = here.find(({ effect }) => effect.kind !== 'delay');
      const met = new Set([...delays, ...(other === undefined ? [] : [other])]);
      if (met.size > 0) {
        faults = faults
          .map((fault) => (met.has(fault) && fault.left !== null ? { ...fault, left: fault.left - 1 } : fault))
          .filter(({ left }) => left !== 0);
      }
      const delayMs = delays.reduce((sum, { effect }) => sum + (effect.kind === 'delay' ? effect.ms : 0), 0);
      return { delayMs, effect: other === undefined || other.effect.kind === 'delay' ? null : other.effect };
    },
  };
}

/** Effects by which a request is acted on. */
export const actingEffects: ReadonlySet<Effect['kind']> = new Set<Effect['kind']>(['cutAfter', 'cutBody', 'drip', 'repeat']);

/** Those who cause faults, as their sentences call them, and what it means that one did not act. */
const causes = {
  provider: 'The provider did not act on the request.',
  gateway: 'The gateway did not pass the request on.',
} as const;

/** Says of a request what it met; empty for nothing. */
export function metText({ delayMs, effect }: Met, by: keyof typeof causes = 'provider'): string {
  const delay = delayMs === 0 ? [] : [`Injected fault: Croupier held the response back for ${delayMs.toLocaleString('en')} ms.`];
  return [...delay, ...(effect === null ? [] : [effectText(effect, causes[by])])].join(' ');
}

function effectText(effect: NonNullable<Met['effect']>, idle: string): string {
  switch (effect.kind) {
    case 'status':
      return `Injected fault: HTTP ${effect.status}. ${idle}`;
    case 'code':
      return `Injected fault: code ${effect.code}. ${idle}`;
    case 'cut':
      return `Injected fault: Croupier cut the connection without a response. ${idle}`;
    case 'cutAfter':
      return 'Injected fault: Croupier cut the connection instead of sending this response.';
    case 'cutBody':
      return 'Injected fault: Croupier cut the connection in the middle of this response.';
    case 'drip':
      return 'Injected fault: Croupier sent this response byte by byte.';
    case 'repeat':
      return `Injected fault: Croupier sent this request again after ${effect.ms.toLocaleString('en')} ms.`;
  }
}
