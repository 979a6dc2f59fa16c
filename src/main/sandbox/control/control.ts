import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#shared/errors.ts';
import { operationNames } from '#shared/model/operations.ts';
import { z } from '#shared/model/schema.ts';
import { readFault, type Faults } from '#shared/provider/faults-on-demand.ts';
import type { Page } from '../game-pages.ts';
import { printAmount } from '../money.ts';
import type { Soon } from '../soon.ts';
import type { Player } from '../transaction-book.ts';
import { controlPage } from './page.ts';
import { controlScript } from './script.ts';
import { controlStyle } from './style.ts';

export interface ControlDeps {
  readonly baseUrl: () => string;
  readonly platform: number;
  readonly partnerId: number;
  readonly faults: Faults;
  readonly players: () => readonly Player[];
  readonly reset: () => void;
  /** Null if the provider was given no file. Fails with `storage`. */
  readonly save: (() => Promise<void>) | null;
}

const area = '/croupier/control';

const Order = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('add'), fault: z.string().check(z.maxLength(200)) }),
  z.strictObject({ do: z.literal('remove'), id: z.int() }),
  z.strictObject({ do: z.literal('clear') }),
  z.strictObject({ do: z.literal('reset') }),
  z.strictObject({ do: z.literal('save') }),
]);

/** The page by which somebody changes faults and state of the running provider. Only those who know its path reach it. */
export function createControl(deps: ControlDeps) {
  const { faults, save } = deps;
  const path = `${area}/${randomBytes(16).toString('hex')}`;

  function state(done: string): Page {
    const players = deps.players().map(({ playerId, token, currency, country, balance }) => ({
      playerId,
      token,
      currency: currency.code,
      country,
      balance: printAmount(balance, currency.digits),
    }));
    const { platform, partnerId } = deps;
    return json(200, {
      baseUrl: deps.baseUrl(),
      platform,
      partnerId,
      operations: operationNames,
      faults: faults.list(),
      players,
      canSave: save !== null,
      done,
    });
  }

  function obey(order: z.infer<typeof Order>): Soon<Page> {
    switch (order.do) {
      case 'add':
        faults.add(readFault(order.fault));
        return state('Fault added.');
      case 'remove':
        return state(faults.remove(order.id) ? 'Fault removed.' : 'This fault is already over.');
      case 'clear':
        faults.clear();
        return state('All faults removed.');
      case 'reset':
        deps.reset();
        return state('State reset: players, rounds, transactions and free rounds are as at the start.');
      case 'save':
        return save === null
          ? problem('The provider was started without --state.')
          : save().then(() => state('State saved.'), failed);
    }
  }

  return {
    /** Holds 32 random hexadecimal digits. */
    path,
    /** Null if the path is not of the control page. */
    get(asked: string): Page | null {
      if (asked === path) return { status: 200, headers: pageHeaders, body: controlPage() };
      if (asked === `${path}/state`) return state('');
      // They hold nothing of this provider.
      if (asked === `${area}-assets/control.js`) return asset('text/javascript; charset=utf-8', controlScript);
      if (asked === `${area}-assets/control.css`) return asset('text/css; charset=utf-8', controlStyle);
      return null;
    },
    /** `text`: the body if it is JSON in UTF-8, otherwise null. */
    post(
      asked: string,
      { host, origin, 'sec-fetch-site': site = 'same-origin' }: IncomingHttpHeaders,
      text: string | null,
    ): Soon<Page> | null {
      if (asked !== path) return null;
      // The path is a secret already; a page of another site that learned it still cannot send this.
      if (origin !== `https://${host ?? ''}` || site !== 'same-origin')
        return json(403, { problem: 'Only the control page may do this.' });
      try {
        const order = Order.safeParse(JSON.parse(text ?? ''));
        return order.success ? obey(order.data) : problem("The control page can't do this.");
      } catch (error) {
        return failed(error);
      }
    },
  };
}

function failed(error: unknown): Page {
  return problem(error instanceof AppError ? error.message : 'The request cannot be read.');
}

function problem(text: string): Page {
  return json(400, { problem: text });
}

const guarded = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };

const pageHeaders = {
  ...guarded,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

function asset(type: string, body: string): Page {
  return { status: 200, headers: { ...guarded, 'content-type': type }, body };
}

function json(status: number, value: unknown): Page {
  return { status, headers: { ...guarded, 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
