import type { ProviderCode } from './model.ts';

/** The codes that the spec lists (Errors), in its words. */
export const providerCodes: readonly ProviderCode[] = [
  { code: 0, message: 'ok', condition: 'Success.' },
  { code: 8, message: 'hash not valid', condition: 'The hash does not match. data is null.', data: null },
  {
    code: 9,
    message: 'platform not valid (partnerid or platform values are wrong',
    condition: 'platform or partnerId wrong. data is null.',
    data: null,
  },
  {
    code: 404,
    message: 'Invalid Token',
    condition: 'The session token is not valid (shown on a wallet-style response with only code and message).',
  },
];

/** Returns the message that the spec gives a code; empty for a code that it does not list. */
export function documentedMessage(code: number): string {
  return providerCodes.find((candidate) => candidate.code === code)?.message ?? '';
}
