import { OperationName } from '../../model/draft.ts';
import { z } from '../../model/schema.ts';
import { Fix } from './doctor.ts';
import { PassedFrom } from '../calls.ts';
import { PassedVerdict } from '../gateway.ts';
import { Nothing } from '../nothing.ts';

/** An exchange that the gateway passed, as its log of this session has it. */
export const PassedCall = z.strictObject({
  /** Counted from 1. */
  number: z.int(),
  /** The call in the history; null if it could not be recorded. */
  callId: z.nullable(z.int()),
  from: PassedFrom,
  /** Null for a request that is none of the API's. */
  operation: z.nullable(OperationName),
  /** Player, game and amount of the request, in words; empty for none. */
  subject: z.string(),
  /** The method and the target of the request, as `POST /serviceApi.php`. */
  request: z.string(),
  /** Milliseconds since the epoch. */
  sentAt: z.int(),
  status: z.nullable(z.int()),
  code: z.nullable(z.int()),
  message: z.nullable(z.string()),
  verdict: PassedVerdict,
  /** Reasons why it is not good, or what does not agree with what passed before, in sentences; empty for neither. */
  why: z.string(),
  /** True while the mistake in a wrong hash is searched for: when that ends, the exchange is told again under its number. */
  searching: z.boolean(),
  /** A program that signs, changed so that it no longer makes the mistake, in the language of the backend; null if that does not show. */
  fix: z.nullable(Fix),
  /** True if the hash is right, false if not, null for a request without one, or if nobody can say. */
  hashIsRight: z.nullable(z.boolean()),
  /** Milliseconds from the request's first byte to the response's last. */
  totalMs: z.number(),
  /** Milliseconds of those that it waited in the gateway. */
  addedMs: z.number(),
});
export type PassedCall = z.infer<typeof PassedCall>;

const PassedPage = z.strictObject({
  /** Newest first. */
  entries: z.array(PassedCall),
  /** Number of kept entries: at most the newest 10,000. */
  total: z.int(),
  /** Number of older entries that were dropped. */
  dropped: z.int(),
});

export const GatewayStatus = z.strictObject({
  environmentId: z.string(),
  /** The URL for the backend in place of the environment's base URL. */
  baseUrl: z.string(),
  /** The URL for the provider in place of the wallet's; null without a wallet. */
  walletUrl: z.nullable(z.string()),
  /** The certificate of the authority that the backend has to trust. */
  caFile: z.string(),
  /** Networks that may connect; null for this computer alone. */
  allow: z.nullable(z.array(z.string())),
  /** Exchanges by operation (`other` for none) and verdict. */
  counts: z.record(z.string(), z.record(z.string(), z.int())),
  /** Exchanges that passed and could not be recorded. */
  missing: z.int(),
  /** The reason of the last of those; null for none. */
  missingWhy: z.nullable(z.string()),
  /**
   * Bets that were accepted and have had no win or cancel yet, those among them that have waited for 10 minutes, and the calls of the oldest ten.
   * Null where the environment has no answer to how a win finds its bet.
   */
  openBets: z.nullable(z.strictObject({ count: z.int(), late: z.int(), calls: z.array(z.int()) })),
  /** Faults on demand, with the number of requests that they still meet; null for all. */
  faults: z.array(z.strictObject({ fault: z.string(), left: z.nullable(z.int()) })),
  /** Open connections. */
  connections: z.int(),
  /** Exchanges without a whole response. */
  underWay: z.int(),
});
export type GatewayStatus = z.infer<typeof GatewayStatus>;

export const gatewayOutputs = {
  'gateway.start': GatewayStatus,
  /** As it was at its end; null if it did not run. */
  'gateway.stop': z.nullable(GatewayStatus),
  /** Null if it does not run. */
  'gateway.status': z.nullable(GatewayStatus),
  /** Null if it does not run. */
  'gateway.setFaults': z.nullable(GatewayStatus),
  'gateway.report': z.strictObject({ text: z.string() }),
  'gateway.log': PassedPage,
};

export const gatewayEvents = {
  /** It started, stopped, or got other faults. */
  'gateway.changed': Nothing,
  'gateway.passed': PassedCall,
};
