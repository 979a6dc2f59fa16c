import type { X509Certificate } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { startDeadline } from '../host/deadline.ts';
import { beyond, readers } from '#shared/model/readers.ts';
import type { Reading } from '../untrusted/jobs.ts';
import type { Resolve } from './address-policy.ts';
import { authorityCodes, trustingAlso, watchRefusal, type Authorities, type Authority } from './authorities.ts';
import { withoutOverride } from './connections.ts';
import type { DecidePac, PacDecision } from './proxies.ts';

interface PacDeps {
  readonly reading: Pick<Reading, 'run'>;
  readonly resolve: Resolve;
  readonly authorities: Authorities;
  readonly load?: (address: string, authorities: Authorities) => Promise<string>;
  readonly now?: () => number;
}

/** Milliseconds for which a script counts as current, and a decision for a host. */
const freshMs = 300_000;
/** Names that one decision may have looked up. */
const mostLookups = 20;
/** Milliseconds of one decision, with its lookups. */
const decisionMs = 15_000;

/** Creates what decides by scripts (PAC). A script runs in a thread that has no network: names are looked up here, a few for each decision. */
export function createPac({
  reading,
  resolve,
  authorities,
  load = loadScript,
  now = () => performance.now(),
}: PacDeps): DecidePac {
  const scripts = new Map<string, { readonly at: number; readonly text: Promise<string> }>();
  const decisions = new Map<string, { readonly at: number; readonly made: Promise<PacDecision> }>();

  function scriptAt(address: string): Promise<string> {
    const known = scripts.get(address);
    if (known !== undefined && now() - known.at < freshMs) return known.text;
    const text = load(address, authorities);
    scripts.set(address, { at: now(), text });
    // The next call tries again.
    text.catch(() => scripts.delete(address));
    return text;
  }

  async function decide(address: string, url: URL): Promise<PacDecision> {
    const named = `The automatic configuration ${address}`;
    let script: string;
    try {
      script = await scriptAt(address);
    } catch (error) {
      return { problem: `${named} could not be loaded: ${error instanceof Error ? error.message : String(error)}.` };
    }
    const known: Record<string, string | null> = {};
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const started = now();
    for (let lookups = 0; ; lookups += 1) {
      if (now() - started > decisionMs) return { problem: `${named} took longer than ${decisionMs / 1_000} s.` };
      const input = { script, url: `${url.origin}/`, host, known, ownAddress: ownAddress() };
      let reply;
      try {
        // Its length does not bound its cost.
        const about = { subject: named, bytes: script.length, inPlace: false };
        reply = await reading.run('pac.decide', input, about);
      } catch {
        return { problem: `${named} took too long or too much memory.` };
      }
      if ('problem' in reply) return { problem: `${named} ${reply.problem}.` };
      if ('answer' in reply) return reply;
      if (lookups === mostLookups) return { problem: `${named} looks up more than ${mostLookups} names.` };
      const found = await resolve(reply.wants).catch(() => []);
      known[reply.wants] = found.find((one) => !one.includes(':')) ?? null;
    }
  }

  return (address, url) => {
    const key = `${address}\n${url.origin}`;
    const before = decisions.get(key);
    if (before !== undefined && now() - before.at < freshMs) return before.made;
    const made = decide(address, url);
    decisions.set(key, { at: now(), made });
    void made.then((decision) => 'problem' in decision && decisions.delete(key));
    return made;
  };
}

/** Returns the first IPv4 address of this computer that is not its own alone. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** Loads a script over http or https, without a proxy and without redirects. Fails with words that complete a sentence. */
async function loadScript(address: string, authorities: Authorities, added: readonly Authority[] = []): Promise<string> {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error('its address is neither http:// nor https://');
  const { get } = url.protocol === 'http:' ? await import('node:http') : await import('node:https');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { bytes: most, ms } = readers['pac.script'];
  const secureContext = url.protocol === 'http:' ? undefined : await trustingAlso('', added);
  const options = { agent: false as const, headers: { accept: '*/*' }, secureContext };
  const request = withoutOverride(() => get(url, options));
  let refusedChain: () => X509Certificate[] = () => [];
  request.once('socket', (socket) => (refusedChain = watchRefusal(socket as TLSSocket)));
  const deadline = startDeadline(ms, () => request.destroy(new Error(`no response within ${ms / 1_000} s`)), { unref: true });
  request.once('error', reject);
  request.once('response', (response) => {
    if (response.statusCode !== 200) return void request.destroy(new Error(`the server answered HTTP ${response.statusCode}`));
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > most)
        request.destroy(new Error(`it ${beyond('pac.script', { bytes: Number.POSITIVE_INFINITY })?.replace(/\.$/, '')}`));
    });
    response.once('end', () => resolve(Buffer.concat(parts).toString()));
    response.once('error', reject);
  });
  try {
    return await promise;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const found = added.length === 0 && authorityCodes.has(code) ? await authorities(refusedChain()) : [];
    if (found.length === 0) throw new Error(code ?? message, { cause: error });
    return await loadScript(address, authorities, found);
  } finally {
    deadline.clear();
    request.destroy();
  }
}
