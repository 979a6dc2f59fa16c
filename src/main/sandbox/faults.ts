import { AppError } from '#shared/errors.ts';
import { operationNames, type OperationName } from '#shared/model/operations.ts';

/** A change of what a request gets. `cut` ends the connection before the request is acted on, `cutAfter` in place of the response. */
type Effect =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'cutAfter' };

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

/** The faults of a running provider. */
export type Faults = ReturnType<typeof createFaults>;

const longestDelayMs = 600_000;
const mostFaults = 100;

/** The form of a fault, for messages. */
const faultForm =
  'OPERATION=FAULT, then ,N for N requests, such as bet=500,2. FAULT is delay:MS, an HTTP status from 400 to 599, code:N, cut or cut-after';

/** Reads `bet=500,2`. Fails with `invalid_input`. */
export function readFault(text: string): Omit<Fault, 'id'> {
  const refuse = (why: string) => new AppError('invalid_input', `${why} Write it as ${faultForm}.`);
  const [, where = '', what = '', times] = /^([A-Za-z]+)=([a-z0-9:-]+?)(?:,(\d{1,6}))?$/.exec(text) ?? [];
  if (where === '') throw refuse('The fault is incomplete.');
  const known = where === 'all' ? where : operationNames.find((name) => name === where);
  if (known === undefined) throw refuse(`There is no operation ${where}; use one of ${operationNames.join(', ')}, or all.`);
  const left = times === undefined ? null : Number(times);
  if (left === 0) throw refuse('A fault must apply to at least one request.');
  return { where: known, effect: readEffect(what, refuse), left };
}

function readEffect(what: string, refuse: (why: string) => AppError): Effect {
  if (what === 'cut') return { kind: 'cut' };
  if (what === 'cut-after') return { kind: 'cutAfter' };
  if (/^[45]\d\d$/.test(what)) return { kind: 'status', status: Number(what) };
  const [, kind, number = ''] = /^(delay|code):(-?\d{1,9})$/.exec(what) ?? [];
  if (kind === 'code') return { kind, code: Number(number) };
  if (kind !== 'delay') throw refuse(`There is no fault ${what}.`);
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

/** Says of a request what it met; empty for nothing. */
export function metText({ delayMs, effect }: Met): string {
  const delay = delayMs === 0 ? [] : [`Injected fault: Croupier held the response back for ${delayMs.toLocaleString('en')} ms.`];
  return [...delay, ...(effect === null ? [] : [effectText(effect)])].join(' ');
}

function effectText(effect: NonNullable<Met['effect']>): string {
  switch (effect.kind) {
    case 'status':
      return `Injected fault: HTTP ${effect.status}. The provider did not act on the request.`;
    case 'code':
      return `Injected fault: code ${effect.code}. The provider did not act on the request.`;
    case 'cut':
      return 'Injected fault: Croupier cut the connection. The provider neither acted on the request nor responded.';
    case 'cutAfter':
      return 'Injected fault: Croupier cut the connection instead of sending this response.';
  }
}
