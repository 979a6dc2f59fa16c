import type { Fidelity } from '#shared/ipc/index.ts';

/** Meaning of the text before a value. */
export interface Lead {
  readonly layer: string | null;
  readonly fidelity: Fidelity;
  readonly url: string | null;
}

/** One word or URL before a value, which is not a line of a log. */
const label = /^\s{0,100}(?:[$<]?[\w\\]{1,80}>?|https?:\/\/\S{1,4000})[ :=]{0,4}['"]?$/;
/** Characters before a value that may say what wrote it. */
export const longestLead = 8_000;
const monolog = /^\[[^\]\n]{10,60}\] [\w.-]{1,80}\.[A-Z]{4,9}: /m;
const http = /(?:^|\n)(?:> )?POST (\S{1,4000}) HTTP\/[\d.]{1,3}\r?(?:\n|$)/;
const host = /(?:^|\n)(?:> )?Host: ?([\w.:-]{1,300})/i;
const serviceUrl = /https?:\/\/[\w.:-]{1,300}(?:\/[\w.~%-]{1,200}){0,20}/;

/** Names the text before a segment: a log's line, a message of HTTP, or nothing that matters. */
export function leadOf(before: string, all: string, depth: number): Lead {
  const near = before.slice(-longestLead);
  const path = http.exec(near)?.[1];
  if (path !== undefined) {
    const name = host.exec(near)?.[1];
    const url = /^https?:/.test(path) || name === undefined ? path : `https://${name}${path}`;
    return { layer: 'HTTP message', fidelity: 'exact', url };
  }
  if (/;s:\d{1,9}:"$/.test(near)) return { layer: 'PHP serialize', fidelity: 'exact', url: null };
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const [, postman] = /POST (https?:\/\/\S{1,4000})[^]*\nRequest Body: ?["']?$/.exec(all) ?? [];
  if (postman !== undefined) return { layer: 'Postman console', fidelity: 'exact', url: postman };
  const [, fetched] = /\bfetch\(\s{0,20}["'`](https?:\/\/[^\s"'`]{1,4000})["'`],\s{0,20}$/.exec(near) ?? [];
  if (fetched !== undefined) return { layer: 'fetch call', fidelity: 'exact', url: fetched };
  if (label.test(line)) return { layer: null, fidelity: 'exact', url: null };
  const url = serviceUrl.exec(line)?.[0] ?? null;
  // Monolog writes its context again: bare slashes, bare characters.
  if (monolog.test(line)) return { layer: 'Monolog line', fidelity: 'reencoded', url };
  const isLine = depth === 0 ? /[A-Za-z0-9]/.test(line) : /\w\W{0,4}\d|\[\w+\]/.test(line);
  return { layer: isLine ? 'log line' : null, fidelity: 'exact', url };
}
