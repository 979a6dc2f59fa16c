import { z } from './schema.ts';

/** A player's balance before and after a wallet call, as decimals with a point. Equal if nothing moved. */
export const WalletBalance = z.strictObject({ currency: z.string(), before: z.string(), after: z.string() });
export type WalletBalance = z.infer<typeof WalletBalance>;
