import { AppError } from '#shared/errors.ts';
import type { Confirmed, Environment, ProductionQuestion } from '#shared/ipc/index.ts';
import { isWrite } from '#shared/production/effect.ts';
import { questionWords } from '#shared/production/words.ts';

/** Content of a question, without the environment, which the caller knows. */
export type Asked = Omit<ProductionQuestion, 'environment'>;

/** The user's confirmations for production environments. Kept until the session ends. */
export type Confirmations = ReturnType<typeof createConfirmations>;

export interface ConfirmationsDeps {
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly later: (work: () => void, milliseconds: number) => () => void;
  /** Ten minutes of this environment began or ended. */
  readonly onChange: (environmentId: string) => void;
}

export const tenMinutesMs = 600_000;

interface Grant {
  readonly mark: string;
  readonly from: number;
  readonly until: number;
  readonly forget: () => void;
}

export function createConfirmations({ now, later, onChange }: ConfirmationsDeps) {
  const read = new Set<string>();
  const grants = new Map<string, Grant>();

  /** Ends the ten minutes of an environment; returns false if none are running. */
  function end(environmentId: string): boolean {
    const grant = grants.get(environmentId);
    if (grant === undefined) return false;
    grant.forget();
    grants.delete(environmentId);
    onChange(environmentId);
    return true;
  }

  /** A clock that was set back ends them, too: nobody agreed to more than ten minutes. */
  function holds({ from, until }: Grant): boolean {
    const at = now();
    return at >= from && at < until;
  }

  function grantOf(environment: Environment): Grant | null {
    const grant = grants.get(environment.id);
    if (grant === undefined) return null;
    if (environment.production && grant.mark === markOf(environment) && holds(grant)) return grant;
    end(environment.id);
    return null;
  }

  function begin(environment: Environment): void {
    grants.get(environment.id)?.forget();
    const from = now();
    const forget = later(() => end(environment.id), tenMinutesMs);
    grants.set(environment.id, { mark: markOf(environment), from, until: from + tenMinutesMs, forget });
    onChange(environment.id);
  }

  return {
    /**
     * Passes a confirmed call, or fails with `refused` and the question. Reading is confirmed once for the session; a call that
     * grants or moves money each time, or for ten minutes if the user chooses so. `ask` is called only if it is needed, and fails as
     * it does.
     */
    // Each call stops here: what was asked about is one environment as it was then, and it may have become a production one since.
    require(environment: Environment, ask: () => Asked, given: Confirmed): void {
      if (!environment.production) return;
      const mark = markOf(environment);
      if (given === false) {
        if (grantOf(environment) !== null) return;
        const asked = ask();
        if (isWriting(asked) || !read.has(mark)) throw refusal(environment, asked);
        return;
      }
      if (given === 'tenMinutes' && isWriting(ask())) begin(environment);
      // A user who confirmed that money goes out knows where it goes.
      read.add(mark);
    },
    /** As `require`, for what is asked about each time, whatever was confirmed before. It counts as the confirmation of reading. */
    requireEach(environment: Environment, ask: () => Asked, given: Confirmed): void {
      if (!environment.production) return;
      if (given === false) throw refusal(environment, ask());
      read.add(markOf(environment));
    },
    /** Returns until when, in milliseconds since the epoch, nothing is asked; null if Croupier asks. */
    notAskingUntil: (environment: Environment): number | null => grantOf(environment)?.until ?? null,
    ask: end,
    /** Ends the ten minutes of environments that changed; `current` returns null for one that is gone or cannot be read. */
    environmentsChanged(current: (id: string) => Environment | null): void {
      for (const id of Array.from(grants.keys())) {
        const environment = current(id);
        if (environment === null) end(id);
        else grantOf(environment);
      }
    },
  };
}

/** Returns a mark of an environment's target and identity, so that Croupier asks again after they change. */
function markOf({ id, baseUrl, walletUrl, platform, partnerId }: Environment): string {
  return JSON.stringify([id, baseUrl, walletUrl, platform, partnerId]);
}

function refusal({ id, name, color, platform, partnerId }: Environment, asked: Asked): AppError {
  const question: ProductionQuestion = { environment: { id, name, color, platform, partnerId }, ...asked };
  const { title, consequences } = questionWords(question);
  return new AppError(
    'refused',
    `${name} is a production environment and this wasn't confirmed. ${title} ${consequences.join(' ')}`,
    {
      reason: 'production_unconfirmed',
      environmentId: id,
      question,
    },
  );
}

function isWriting({ call, run }: Asked): boolean {
  return run === null ? call !== null && isWrite(call) : run.sums.length > 0;
}
