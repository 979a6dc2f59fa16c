import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';
import { Confirmed } from './production.ts';

/**
 * Verdict of the gateway on an exchange, the first that holds. `stopped`: it did not pass the request on. `failed`: no whole response came.
 * `wrongHash`: the hash is not that of the environment's key. `rejected`: a code other than 0. `unclear`: a response that is not as documented.
 * `other`: no request of the API.
 */
export const passedVerdicts = ['stopped', 'failed', 'wrongHash', 'rejected', 'unclear', 'other', 'good'] as const;
export const PassedVerdict = z.enum(passedVerdicts);
export type PassedVerdict = z.infer<typeof PassedVerdict>;

export const gatewayInputs = {
  /**
   * Listens for the operator's backend and passes its requests to the environment's base URL. Fails with `conflict` (it is running, or the port
   * is in use), `not_found`, `unsupported`, and with `refused` and a `ProductionQuestion` if the environment is marked as production.
   */
  'gateway.start': z.strictObject({
    environmentId: textUpTo(200),
    /** 0 for any free one. */
    port: z._default(wholeNumber(0, 65_535), 0),
    /** The operator's wallet: the gateway listens on another port for the provider's requests, too. Absent for the backend's alone. */
    walletUrl: z.optional(filledTextUpTo(2_000)),
    /** Absent for this computer alone. */
    network: z.optional(
      z.strictObject({
        /** The address to listen on. */
        address: filledTextUpTo(100),
        /** Networks that may connect, as `10.1.0.0/16`. */
        allow: z.array(filledTextUpTo(100)).check(z.minLength(1), z.maxLength(100)),
      }),
    ),
    /** Faults on demand, as `bet=cut-after,1`. */
    faults: z._default(z.array(filledTextUpTo(100)).check(z.maxLength(100)), []),
    /**
     * Answers under the far side's own names, too, which a hosts file leads to this computer: then `Host` passes as it is. The gateway itself
     * asks the name servers.
     */
    ownNames: z._default(z.boolean(), false),
    /** Passes requests of other platforms and partners, too. */
    anyPartner: z._default(z.boolean(), false),
    confirmed: Confirmed,
  }),
  /** Ends its connections, and waits until everything is recorded. */
  'gateway.stop': Nothing,
  'gateway.status': Nothing,
  /** Replaces the faults on demand. Fails with `invalid_input`. */
  'gateway.setFaults': z.strictObject({ faults: z.array(filledTextUpTo(100)).check(z.maxLength(100)) }),
  /** Returns what passed since it was started last as JUnit XML, in which the verdicts of `failOn` are failures. Fails with `conflict` if it never was. */
  'gateway.report': z.strictObject({ failOn: z.array(PassedVerdict).check(z.maxLength(10)) }),
  /** Returns what passed in this session. `before` is the number of the last entry already shown. */
  'gateway.log': z.strictObject({
    before: z.optional(z.int()),
    limit: z._default(wholeNumber(1, 500), 100),
  }),
};
