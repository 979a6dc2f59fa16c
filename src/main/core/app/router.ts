import { randomBytes } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import { inputs } from '#shared/ipc/index.ts';
import type { CallName, Handlers, Reply } from '#shared/ipc/index.ts';
import { describeExcess } from './input-guard.ts';
import type { KeyGate } from './key-gate.ts';

export type Dispatch = (name: string, input: unknown) => Promise<Reply>;

/**
 * Creates the one door into core. Whatever comes in, a reply comes out: nothing is thrown. A handler gets its input parsed, with
 * defaults filled in, once `gate` let it through. Of an error that is not an AppError the caller gets only a short ID; its text,
 * which may hold anything, goes to `onFault`.
 */
export function createRouter(
  handlers: Handlers,
  onFault: (error: unknown) => void = () => undefined,
  gate: KeyGate = () => null,
): Dispatch {
  return async (name, input) => {
    try {
      if (typeof name !== 'string' || !isCall(name)) {
        const shown = String(typeof name === 'string' ? name : typeof name).slice(0, 100);
        return refuse(
          new AppError(
            'unsupported',
            `There is no call named ${JSON.stringify(shown)}. The page may be older or newer than the program.`,
          ),
        );
      }
      const excess = describeExcess(input);
      if (excess !== null) return refuse(new AppError('invalid_input', `${name}: ${excess}`));
      const parsed = inputs[name].safeParse(input);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        const path = issue?.path.join('.') ?? '';
        return refuse(
          new AppError(
            'invalid_input',
            `${name}: ${path === '' ? '' : `${path}: `}${issue?.message ?? 'The input has another shape.'}`,
            { path },
          ),
        );
      }
      const looked = gate(name, parsed.data);
      const held = looked === null ? null : await looked;
      if (held !== null) return refuse(held);
      // The handler's type follows from the name, which TypeScript cannot correlate through a table.
      const handle = handlers[name] as (parsedInput: unknown) => unknown;
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
          `Something went wrong inside the workbench (fault ${fault}). Try again; if it stays, report this ID.`,
          { fault },
        ),
      );
    }
  };
}

function isCall(name: string): name is CallName {
  return Object.hasOwn(inputs, name);
}

function refuse({ code, message, details }: AppError): Reply {
  return { ok: false, error: details === undefined ? { code, message } : { code, message, details } };
}
