import { createHash } from 'node:crypto';
import type { LoginQuestion } from '#core/host/host.ts';
import type { Secret } from './secret.ts';

/** Returns the value of Proxy-Authorization for a login, `user:password` (RFC 7617, RFC 7616). */
export function loginAnswer(login: Secret, question: LoginQuestion): string {
  return login.use((bytes) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (question.scheme === 'basic') return `Basic ${text.toString('base64')}`;
    const { realm, nonce, clientNonce, opaque, qop, target, algorithm } = question;
    const hash = (...parts: readonly (string | Uint8Array)[]) => {
      const made = createHash(question.hash);
      for (const part of parts) made.update(part);
      return made.digest('hex');
    };
    const colon = text.indexOf(0x3a);
    const user = colon < 0 ? text : text.subarray(0, colon);
    const own = hash(user, `:${realm}:`, colon < 0 ? '' : text.subarray(colon + 1));
    const first = question.session ? hash(`${own}:${nonce}:${clientNonce}`) : own;
    const second = hash(`CONNECT:${target}`);
    const count = question.count.toString(16).padStart(8, '0');
    const response = hash(qop ? `${first}:${nonce}:${count}:${clientNonce}:auth:${second}` : `${first}:${nonce}:${second}`);
    const quoted = { username: user.toString(), realm, nonce, uri: target, response, ...(opaque === null ? {} : { opaque }) };
    return [
      ...Object.entries(quoted).map(([name, value], at) => `${at === 0 ? 'Digest ' : ''}${name}="${escaped(value)}"`),
      `algorithm=${algorithm}`,
      ...(qop || question.session ? [`cnonce="${clientNonce}"`] : []),
      ...(qop ? ['qop=auth', `nc=${count}`] : []),
    ].join(', ');
  });
}

/** Writes a text between quotes of a header, without anything that could end its line. */
function escaped(text: string): string {
  return text.replace(/\p{Cc}/gu, '').replace(/["\\]/g, '\\$&');
}
