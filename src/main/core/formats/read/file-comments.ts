import { parseJson } from '#shared/json/parse.ts';
import type { Losses, SourceRequest } from './import-source.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';

/** Matches a string, which may hold slashes, or a comment. */
const parts = /"(?:[^"\\]|\\[^])*"|\/\/[^\r\n]*|\/\*[^]*?\*\//g;

/**
 * Returns the body of a tool that takes comments out of JSON before it sends it: the body without them, and the comments. Null if
 * it has none, or is not JSON without them either.
 */
function takeComments(body: string): { readonly body: string; readonly comments: readonly string[] } | null {
  if (!/\/[/*]/.test(body) || parseJson(withStandIns(body)).ok) return null;
  const comments: string[] = [];
  const plain = body.replace(parts, (part) => {
    if (part.startsWith('"')) return part;
    comments.push(part);
    return '';
  });
  return comments.length > 0 && parseJson(withStandIns(plain)).ok ? { body: plain, comments } : null;
}

/** Returns the request as its tool sends it: without the comments in its body, which its file keeps. */
export function withoutComments(request: SourceRequest, losses: Losses): SourceRequest {
  const taken = request.body === null || request.kept !== null ? null : takeComments(request.body);
  if (taken === null) return request;
  const many = `${taken.comments.length} ${taken.comments.length === 1 ? 'comment' : 'comments'} in its body`;
  losses.add(request.where, many, 'They are not sent, and stand as a comment at the end of the file.', request.at);
  return { ...request, body: taken.body, rawBody: null, comments: [...request.comments, ...taken.comments] };
}

const longestComment = 20_000;

/** Returns a text that fits a comment of a file: no character that YAML refuses, and not without an end. `cut`: the end is missing. */
export function commentOf(texts: readonly string[]): { readonly text: string; readonly cut: boolean } {
  const text = texts
    .join('\n')
    .replace(
      /[^\n\t\x20-\x7e\u00a0-\ufefe\ufff0-\ufffd\u{10000}-\u{10ffff}]|[\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu,
      ' ',
    );
  const cut = text.length > longestComment;
  return { text: cut ? `${text.slice(0, longestComment)}\n…` : text, cut };
}
