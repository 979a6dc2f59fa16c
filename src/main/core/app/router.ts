import { randomBytes } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { CallName, Handlers, inputs, Reply } from '#shared/ipc/index.ts';
import { beyond, readers } from '#shared/model/readers.ts';
import type { KeyGate } from './key-gate.ts';

export type Dispatch = (name: string, input: unknown) => Promise<Reply>;

/** Calls of the contract: how each is read and answered. */
interface Table {
  readonly inputs: Partial<typeof inputs>;
  readonly handlers: Partial<Handlers>;
}

/**
 * Creates the one door into core. Whatever comes in, a reply comes out: nothing is thrown. A handler gets its input parsed, with
 * defaults filled in, once `gate` let it through. Of an error that is not an AppError the caller gets only a short ID; its text,
 * which may hold anything, goes to `onFault`.
 */
export function createRouter(
  tableOf: (name: string) => Table | Promise<Table>,
  onFault: (error: unknown) => void = () => undefined,
  gate: KeyGate = () => null,
): Dispatch {
  return async (name, input) => {
    try {
      const { inputs, handlers } = await tableOf(name);
      const schema = typeof name === 'string' && Object.hasOwn(inputs, name) ? inputs[name as CallName] : undefined;
      if (schema === undefined) {
        const shown = String(typeof name === 'string' ? name : typeof name).slice(0, 100);
        return refuse(
          new AppError(
            'unsupported',
            `This version of Croupier doesn't have ${JSON.stringify(shown)}, which the page asked for. Reload the page.`,
          ),
        );
      }
      const excess = describeExcess(input);
      if (excess !== null) return refuse(new AppError('invalid_input', `${name}: ${excess}`));
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        const path = issue?.path.join('.') ?? '';
        return refuse(
          new AppError(
            'invalid_input',
            `${name}: ${path === '' ? '' : `${path}: `}${issue?.message ?? 'The input has the wrong shape.'}`,
            { path },
          ),
        );
      }
      const gated = gate(name as CallName, parsed.data);
      const held = gated === null ? null : await gated;
      if (held !== null) return refuse(held);
      // The handler's type follows from the name, which TypeScript cannot correlate through a table.
      const handle = handlers[name as CallName] as (parsedInput: unknown) => unknown;
      return { ok: true, value: await handle(parsed.data) };
    } catch (error) {
      if (error instanceof AppError) return refuse(error);
      const fault = randomBytes(3).toString('hex');
      try {
        onFault(new AppError('internal', `Fault ${fault} in ${String(name)}`, { fault }, { cause: error }));
      } catch {
        // A broken log must not cost the caller its reply.
      }
      return refuse(
        new AppError(
          'internal',
          `Something went wrong in Croupier (fault ${fault}). Try again; if it keeps happening, report this ID.`,
          { fault },
        ),
      );
    }
  };
}

function refuse({ code, message, details }: AppError): Reply {
  return { ok: false, error: details === undefined ? { code, message } : { code, message, details } };
}

const { depth: maxDepth, values: maxValues, characters: maxCharacters } = readers['page.input'];

/**
 * Says what makes an input too much to look at, or null. Runs before the schema, which would otherwise walk a hostile value to
 * its end. Plain JSON only: nothing that could run code when it is read.
 */
export function describeExcess(input: unknown): string | null {
  let values = 0;
  let characters = 0;
  const pending: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (++values > maxValues) return tooMuch('values');
    if (typeof value === 'string') {
      characters += value.length;
      if (characters > maxCharacters) return tooMuch('characters');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxDepth) return tooMuch('depth');
    if (Array.isArray(value)) {
      if (value.length > maxValues) return tooMuch('values');
      for (const item of value) pending.push({ value: item, depth: depth + 1 });
      continue;
    }
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (prototype !== null && prototype !== Object.prototype && !isForeignPlain(prototype))
      return "The input contains something that isn't plain JSON.";
    if (hasMoreThan(value, maxValues - values)) return tooMuch('values');
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (key === '__proto__') return 'The input contains a property named __proto__.';
      if (!('value' in descriptor)) return "The input contains something that isn't plain JSON.";
      characters += key.length;
      pending.push({ value: descriptor.value, depth: depth + 1 });
    }
  }
  return null;
}

function tooMuch(measure: 'values' | 'characters' | 'depth'): string {
  return `The input ${beyond('page.input', { [measure]: Number.POSITIVE_INFINITY })}`;
}

/** Counts names without making a descriptor of each. */
function hasMoreThan(value: object, most: number): boolean {
  let names = 0;
  for (const name in value) if (Object.hasOwn(value, name) && ++names > most) return true;
  return false;
}

/** A plain object of another realm, as structured cloning between contexts makes. */
function isForeignPlain(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty');
}
