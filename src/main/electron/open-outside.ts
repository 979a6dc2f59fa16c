import { addressKind } from '#shared/network/address-kind.ts';

/** The URL to open, normalised, with its host as in DNS; or the reason for a refusal. */
export type OutsideDecision =
  | { readonly allowed: true; readonly url: string; readonly host: string }
  | { readonly allowed: false; readonly reason: string };

const longest = 2_048;

/**
 * Returns whether an address may be handed to the system, which starts whatever program is registered for it. Only https to a public name:
 * a URL that two parsers could read differently is refused, not repaired.
 */
export function decideOpenOutside(address: unknown): OutsideDecision {
  if (typeof address !== 'string' || address === '') return refused('There is no address to open.');
  if (address.length > longest) return refused(`The address is longer than ${longest} characters.`);
  if (!/^[\x21-\x7e]+$/.test(address))
    return refused('The address has invalid characters. Encode spaces and letters that are not ASCII.');
  if (/["'<>\\^`{|}]/.test(address)) return refused('The address has quotes, brackets or backslashes that must be encoded.');
  if (!/^https:\/\/[^/]/i.test(address)) return refused('Croupier opens only https addresses.');
  if (/%(?![0-9a-f]{2})/i.test(address))
    return refused('The address has a percent sign that is not part of an encoding. Write %25.');
  if (/%(?:0[\da-f]|1[\da-f]|7f)/i.test(address)) return refused('The address has encoded control characters.');
  const authority = /^https:\/\/([^/?#]*)/i.exec(address)?.[1] ?? '';
  if (authority.includes('@')) return refused('The address has a user name or a password in it.');
  if (authority.includes('%')) return refused('The host of the address is percent-encoded.');
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'https:') return refused('The address cannot be read.');
  const host = url.hostname.replace(/\.$/, '');
  const kind = addressKind(host);
  if (kind !== 'name')
    return refused('Croupier opens only public host names, not IP addresses or names of this computer or its network.');
  if (!/^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(host))
    return refused('The host of the address is not a public host name.');
  return { allowed: true, url: url.href, host: url.host };
}

function refused(reason: string): OutsideDecision {
  return { allowed: false, reason };
}
