import { AppError } from '#shared/errors.ts';

/** The part of Trusted Types that is used here; TypeScript's DOM library does not have it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

/**
 * Starts one of the page's module workers by the URL that the bundler gave it. Under Trusted Types a URL has to pass a policy; this
 * one accepts nothing but the page's own two workers.
 */
export function startWorker(address: string): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const trusted = trustedTypes?.createPolicy('app-worker', { createScriptURL: ownWorker }).createScriptURL(address);
  return new Worker(trusted ?? ownWorker(address), { type: 'module' });
}

function ownWorker(address: string): string {
  const url = new URL(address, globalThis.location.href);
  const known = /\/(editor|response)\.worker[^/]*$/.test(url.pathname);
  if (url.origin !== globalThis.location.origin || !known) {
    throw new AppError('refused', 'A worker from another place than the page was refused.');
  }
  return url.href;
}
