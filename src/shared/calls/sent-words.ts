import type { PassedFrom, Timings, Voucher } from '../ipc/calls.ts';
import { bytesText, type SentRequest } from './sent-request.ts';

/** Names of the senders whose requests the gateway passes, after a subject. */
export const originWords: Readonly<Record<PassedFrom, string>> = {
  backend: 'from my backend',
  provider: 'from the provider',
};

/** One statement about what left, with its tone. */
export interface SentStatement {
  readonly text: string;
  readonly tone: 'good' | 'plain' | 'warn' | 'bad';
  /** The bytes of the body that it is about. */
  readonly where?: string;
}

/** Returns the statement with the bytes that it is about. */
export const wholeStatement = ({ text, where }: SentStatement): string => (where === undefined ? text : `${text}, ${where}`);

/** Says how long a request took to and in the gateway, which passed it. */
export function gatewayWords({ received, held }: NonNullable<Timings['gateway']>): string {
  const ms = (value: number) => (value < 1 ? 'under 1 ms' : `${Math.round(value).toLocaleString('en')} ms`);
  return `Before that, the request took ${ms(received)} to arrive at the gateway and ${ms(held)} in it.`;
}

/** The sets of authorities that vouch for a server, in words that complete "Certificate trusted by …". */
export const voucherWords: Readonly<Record<Voucher, string>> = {
  node: "Node's authorities",
  system: "the system's store",
  NODE_EXTRA_CA_CERTS: 'the file of NODE_EXTRA_CA_CERTS',
  SSL_CERT_FILE: 'the file of SSL_CERT_FILE',
  environment: "the environment's CA certificate",
};

/** Says in a sentence or two whether the request left; null if a response came. */
export function departureText({ departure, from }: Pick<SentRequest, 'departure' | 'from'>): string | null {
  if (from !== null) return passedText(departure, from);
  switch (departure) {
    case 'answered':
      return null;
    case 'nothing':
      return 'Nothing was sent. This is what would have been sent.';
    case 'begun':
      return 'Croupier started sending this and got no complete response. How much arrived is not known.';
    case 'unknown':
      return 'It is not known whether this was sent. Croupier recorded it before sending.';
    case 'pending':
      return 'No outcome yet. Croupier recorded this before sending.';
  }
}

/** Says the same of a request that the gateway passed. */
function passedText(departure: SentRequest['departure'], from: PassedFrom): string | null {
  switch (departure) {
    case 'answered':
      return null;
    case 'nothing':
      return `Nothing was passed on. This is what ${from === 'backend' ? 'your backend' : 'the provider'} sent.`;
    case 'begun':
      return 'The gateway started passing this on and got no complete response. How much arrived is not known.';
    case 'unknown':
      return 'It is not known whether this was passed on. Croupier recorded it before passing it on.';
    case 'pending':
      return 'No outcome yet. Croupier recorded this before passing it on.';
  }
}

/** Returns the title of the view that shows a request. Whoever sent one that the gateway passed did send it. */
export function sentTitle({ departure, from }: Pick<SentRequest, 'departure' | 'from'>): 'Sent' | 'Not sent' | 'Possibly sent' {
  return departure === 'answered' || from !== null ? 'Sent' : departure === 'nothing' ? 'Not sent' : 'Possibly sent';
}

/** Returns the shortest true statement about hash input and body. */
export function sentFact(sent: SentRequest): SentStatement {
  switch (sent.departure) {
    case 'nothing':
      return { text: sent.from === null ? 'nothing was sent' : 'not passed on', tone: 'plain' };
    case 'begun':
    case 'unknown':
    case 'pending':
      return { text: 'not known to have arrived', tone: 'plain' };
    case 'answered':
      return bytesFact(sent);
  }
}

/** Returns the statement that compares the signed bytes with those of the body, whether or not they left. */
export function bytesFact({
  hashOrigin,
  parts,
  differences,
  maskedKeys,
  masked,
  repeats,
  departure,
  from,
  hash,
}: SentRequest): SentStatement {
  const sent = departure === 'answered' ? 'sent' : 'body';
  switch (hashOrigin) {
    case 'none':
      return { text: from === null ? 'not signed' : 'no hash input', tone: 'plain' };
    case 'leftOut':
      return { text: departure === 'answered' ? 'sent without a hash' : 'no hash', tone: 'warn' };
    case 'given':
      return { text: 'custom hash', tone: 'warn' };
    case 'received':
      return hash === null ? { text: 'came without a hash', tone: 'warn' } : { text: 'hash as received', tone: 'plain' };
    case 'computed':
    case 'wrongDigit':
  }
  if (maskedKeys.length > 0) return { text: 'key masked, not compared', tone: 'plain' };
  if (masked) return { text: 'masked, not compared', tone: 'plain' };
  if (differences.length > 0) return { text: `signed and ${sent} differ`, tone: 'bad' };
  if (hashOrigin === 'wrongDigit') return { text: 'hash digit changed', tone: 'warn' };
  if (repeats !== null) return { text: 'old bytes, not re-signed', tone: 'plain' };
  const data = parts.find(({ kind }) => kind === 'data');
  const time = parts.find(({ kind }) => kind === 'time');
  if (data !== undefined) return { text: `signed = ${sent}`, tone: 'good', where: bytesText(data) };
  return { text: `signed = ${sent}: time`, tone: 'good', ...(time === undefined ? {} : { where: bytesText(time) }) };
}

/** Returns sentences that show that the signed bytes are those of the body, or why they are not. */
export function sentProof({
  hashOrigin,
  parts,
  differences,
  maskedKeys,
  masked,
  repeats,
  hashInput,
  from,
  hash,
}: SentRequest): string[] {
  if (hashOrigin === 'none')
    return [
      from === null
        ? 'Not signed: there is no hash input, and Croupier adds no envelope to the body.'
        : 'There is no hash input.',
    ];
  const origins = {
    computed: [],
    // The fact above says so, unless it says something else.
    wrongDigit:
      maskedKeys.length > 0 || masked || differences.length > 0 ? ['One digit of the hash was changed on purpose.'] : [],
    given: ['The hash was given by hand. The hash input shows what would have been hashed.'],
    leftOut: ['The hash was left out on purpose. The hash input shows what would have been hashed.'],
    received: [
      hash === null
        ? 'The request came without a hash. The hash input shows what it should cover.'
        : "The hash came with the request: Croupier didn't compute it. The hash input shows what it should cover.",
    ],
  };
  const lines: string[] = [];
  if (repeats !== null) lines.push(`These are the bytes of call ${repeats}, with its time and its hash. Nothing was re-signed.`);
  lines.push(...origins[hashOrigin]);
  if (maskedKeys.length > 0) {
    const whose = maskedKeys.join(' and ');
    return [...lines, `The private key of ${whose} was in the request. It is masked here, so these are not the bytes that left.`];
  }
  if (masked) return [...lines, 'The support pack masks parts of this request, so these are not the bytes that left.'];
  if (differences.length > 0 || hashOrigin === 'received') return [...lines, ...differences];
  if (hashInput?.time === '') lines.push('time is empty.');
  const same = parts.filter(({ kind, start, end }) => kind !== 'hash' && end > start);
  const places = same.map((part) => `${bytesText(part)} (${part.kind})`).join(' and ');
  return [...lines, `${upperFirst(places)} of the body, counted from 0, are the same as in the hash input.`];
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
