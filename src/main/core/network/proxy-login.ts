import { randomBytes } from 'node:crypto';
import type { LoginQuestion } from '../host/host.ts';

/** Answers the questions of one proxy for a login. */
export type ProxyLogin = ReturnType<typeof createProxyLogin>;

/** One way to log in that a proxy offers. */
interface Challenge {
  /** In lowercase. */
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Creates what answers a proxy. It remembers the last question, so that later connections are not refused first. `sign` returns the value of
 * Proxy-Authorization; null if nobody has a login for this proxy.
 */
export function createProxyLogin(sign: (question: LoginQuestion) => Promise<string | null>) {
  let last: Challenge | null = null;
  let count = 0;

  return {
    /**
     * Returns what to send; null for nothing. `asked`: the values of Proxy-Authenticate with which the proxy has just refused; `sent`: whether it
     * refused a login.
     */
    async answer(target: string, asked: readonly string[] | null = null, sent = false): Promise<string | null> {
      if (asked !== null) {
        const next = best(readChallenges(asked));
        const isNew =
          next?.scheme === 'digest' && (isStale(next) || (count > 1 && next.parameters.get('nonce') !== nonceOf(last)));
        last = sent && !isNew ? null : next;
        count = 0;
      }
      if (last === null) return null;
      count += 1;
      const answer = await sign(questionOf(last, target, count));
      if (answer === null) last = null;
      return answer;
    },
  };
}

/** Reads values of Proxy-Authenticate, of which one may hold several challenges. */
export function readChallenges(values: readonly string[]): Challenge[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  const parts = /([\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]+)|([a-z][\w-]*)/gi;
  for (const value of values) {
    for (const [, name, text = '', scheme] of value.matchAll(parts)) {
      if (scheme !== undefined) found.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
      else if (name !== undefined) found.at(-1)?.parameters.set(name.toLowerCase(), unquoted(text));
    }
  }
  return found;
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}

const isStale = ({ parameters }: Challenge): boolean => parameters.get('stale')?.toLowerCase() === 'true';
const nonceOf = (challenge: Challenge | null): string | undefined => challenge?.parameters.get('nonce');

/** Algorithms of Digest, the better one first. */
const algorithms = ['sha-256', 'sha-256-sess', 'md5', 'md5-sess'];

/** Returns the best of the challenges that can be answered: Digest does not show the password. */
function best(challenges: readonly Challenge[]): Challenge | null {
  const rank = ({ scheme, parameters }: Challenge) =>
    scheme === 'digest' && hasQop(parameters)
      ? algorithms.indexOf(algorithmOf(parameters))
      : scheme === 'basic'
        ? algorithms.length
        : -1;
  const [first = null] = challenges.filter((one) => rank(one) >= 0).sort((a, b) => rank(a) - rank(b));
  return first;
}

const algorithmOf = (parameters: Challenge['parameters']): string => (parameters.get('algorithm') ?? 'MD5').toLowerCase();

/** Returns whether a Digest needs no hash of a body. */
function hasQop(parameters: Challenge['parameters']): boolean {
  const qop = parameters.get('qop');
  return qop === undefined || /(^|[\s,])auth($|[\s,])/i.test(qop);
}

function questionOf({ scheme, parameters }: Challenge, target: string, count: number): LoginQuestion {
  if (scheme === 'basic') return { scheme };
  const algorithm = parameters.get('algorithm') ?? 'MD5';
  return {
    scheme: 'digest',
    algorithm,
    hash: algorithm.toLowerCase().startsWith('sha-256') ? 'sha256' : 'md5',
    session: algorithm.toLowerCase().endsWith('-sess'),
    realm: parameters.get('realm') ?? '',
    nonce: parameters.get('nonce') ?? '',
    opaque: parameters.get('opaque') ?? null,
    qop: parameters.has('qop'),
    target,
    count,
    clientNonce: randomBytes(12).toString('hex'),
  };
}
