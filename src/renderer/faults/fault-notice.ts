import { AppError } from '#shared/errors.ts';
import { describeFault, faultDetails, faultIdOf, faultKey } from '#shared/faults.ts';

/** One notice about faults. It replaces the notice that has the same ID; a `lasting` one stays until the user closes it. */
export interface NoticeOfFault {
  readonly id: string;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly lasting?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface FaultNoticeDeps {
  readonly notify: (notice: NoticeOfFault) => void;
  readonly copy: (text: string) => Promise<void>;
  /** Returns the head of a fault's details: version, host, browser. */
  readonly where: () => string;
}

/** Number of different faults whose details are copied. */
const most = 10;

/** Shows all faults of a page, and those that core reports, in one notice. */
export function createFaultNotice({ notify, copy, where }: FaultNoticeDeps) {
  const seen = new Map<string, { readonly details: string; times: number }>();
  const objects = new WeakSet<object>();

  function add(key: string, details: string, message: string): void {
    const known = seen.get(key) ?? { details, times: 0 };
    known.times += 1;
    // The latest are last; the oldest of many are dropped.
    seen.delete(key);
    seen.set(key, known);
    const oldest = seen.keys().next().value;
    if (seen.size > most && oldest !== undefined) seen.delete(oldest);
    draw(message, known.times);
  }

  function draw(message: string, times: number): void {
    const before = seen.size === 1 ? '' : ` ${seen.size} different faults are in the details.`;
    notify({
      id: 'fault',
      tone: 'bad',
      lasting: true,
      text: `An error in Croupier: ${message}${times === 1 ? '' : ` (${times} times)`}. What you typed is kept. Try again; if it fails again, copy the details and report them.${before}`,
      action: {
        label: 'Copy details',
        run() {
          const text = Array.from(seen.values(), ({ details, times: count }) => `${details}\n    seen ${count} times`).join(
            '\n\n',
          );
          copy(text).then(
            () => notify({ id: 'fault-copied', tone: 'good', text: 'Copied the details.' }),
            () => {
              draw(message, times);
              notify({
                id: 'fault-copied',
                tone: 'bad',
                text: 'The details were not copied: the browser blocked it. Click in the page, then try again.',
              });
            },
          );
        },
      },
    });
  }

  return {
    /** Shows anything that was thrown; of a refusal, its message. */
    show(error: unknown) {
      // One fault passes several places on its way out.
      if (typeof error === 'object' && error !== null) {
        if (objects.has(error)) return;
        objects.add(error);
      }
      if (error instanceof AppError) {
        // Core reports its faults by an event, and whoever cancelled something knows it.
        if (faultIdOf(error) === null && error.code !== 'cancelled')
          notify({ id: `refusal ${error.message}`, tone: 'bad', text: error.message });
        return;
      }
      const fault = describeFault(error);
      add(faultKey(fault), faultDetails(fault, where()), fault.message);
    },
    /** Shows a fault of core. */
    tell: ({ message, details }: { readonly message: string; readonly details: string }) => add(details, details, message),
  };
}
