/** An address as calls use it, or a sentence that says why it is refused. */
export type AddressCheck =
  | { readonly ok: true; readonly address: string; readonly url: URL }
  | { readonly ok: false; readonly message: string };

// Calls go to one address again and again.
let last: { readonly text: string; readonly check: AddressCheck } | null = null;

/** Checks an https address and trims its trailing slashes. `what` names it in the message, as `The base URL`. */
export function checkAddress(text: string, what: string): AddressCheck {
  if (last?.text === text) return last.check;
  const check = readAddress(text, what);
  if (check.ok) last = { text, check };
  return check;
}

function readAddress(text: string, what: string): AddressCheck {
  const trimmed = text.trim();
  const refuse = (message: string): AddressCheck => ({ ok: false, message });
  if (trimmed === '') return refuse(`${what} is missing. Enter a URL that starts with https://.`);
  const url = URL.parse(trimmed);
  if (url === null) return refuse(`${what} is not a web URL: ${trimmed}. It looks like https://api.example.com.`);
  if (url.protocol === 'http:')
    return refuse(`${what} starts with http://. The service accepts https only, so nothing is sent in clear: use https://.`);
  if (url.protocol !== 'https:') return refuse(`${what} starts with ${url.protocol}. It must start with https://.`);
  if (url.username !== '' || url.password !== '') return refuse(`${what} holds a user name or a password. Leave them out.`);
  if (url.search !== '' || trimmed.includes('?'))
    return refuse(`${what} has a query. Leave out the part from the question mark on.`);
  if (url.hash !== '' || trimmed.includes('#')) return refuse(`${what} has a fragment. Leave out the part from the # on.`);
  return { ok: true, address: url.href.replace(/\/+$/, ''), url };
}
