const prefix = 'croupier/';
const newPrefix = 'croupier-new/';

/** Account of the key for fingerprints, which all homes of a user share; no environment's account has this form. */
export const fingerprintAccount = 'fingerprint-key';

/**
 * Returns the account of an environment's key in the keychain. While a new key waits for its first code 0, this is the account of the
 * older one: a program of an earlier version, or one that lost the list of keys, goes on with that.
 */
export function accountOf(environmentId: string): string {
  return `${prefix}${environmentId}`;
}

/** Returns the account of a new key, until it takes the place of the older one. */
export function newAccountOf(environmentId: string): string {
  return `${newPrefix}${environmentId}`;
}

/** Returns the account of a proxy's login. */
export function proxyAccountOf(address: string): string {
  return `croupier-proxy/${address}`;
}

const clientPrefix = 'croupier-client/';

/** Returns the account of a part of the private key of an environment's client certificate. */
export function clientAccountOf(environmentId: string, part = 0): string {
  return `${clientPrefix}${environmentId}${part === 0 ? '' : `/${part + 1}`}`;
}

/** Returns the environment of an account of a client certificate; null for another account. */
export function clientEnvironmentOf(account: string): string | null {
  return account.startsWith(clientPrefix) ? account.slice(clientPrefix.length) : null;
}

/** Returns whether the account is that of an environment's key. */
export function isOfEnvironment(account: string): boolean {
  return account.startsWith(prefix) || account.startsWith(newPrefix);
}

/** Returns the environment of an account. */
export function environmentIdOf(account: string): string {
  return account.slice(account.indexOf('/') + 1);
}
