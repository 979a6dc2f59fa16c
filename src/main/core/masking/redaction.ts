import { formsOf, type SecretForms } from './secret-forms.ts';
import { findSecret, type Place } from './secret-places.ts';

const mark = '[hidden]';

/**
 * Makes texts fit to be shown or logged: every form of a protected secret becomes `[hidden]`. A redaction that knows a secret raw,
 * JSON-escaped (JavaScript's and PHP's ways, also JSON inside JSON), percent-encoded, in base64 and base64url at any place of a longer
 * encoded text and in lines, in hexadecimal with and without separators, backwards, in UTF-16 below base64 and hexadecimal, in the
 * quotes of JavaScript, PHP, Python and the shell, as HTML, and each of these mixed within one text. It does not know forms that nobody
 * here writes, such as a key below compression.  It protects only where the secret is: a process that holds a key, for as long as it
 * holds it. The main process therefore has nothing to redact with after a key was handed to the key agent; it logs no inputs, and errors
 * that come from the agent were redacted there.
 */
export function createRedaction() {
  const known = new Map<symbol, SecretForms>();

  /** Returns a search for the first place from an offset on, with the longest form there. Offsets rise: each secret is searched once. */
  function finder(text: string): (at: number) => Place | null {
    const ahead = new Map<SecretForms, Place | null>();
    return (at) => {
      let first: Place | null = null;
      for (const forms of known.values()) {
        let found = ahead.get(forms);
        if (found === undefined || (found !== null && found.start < at)) ahead.set(forms, (found = findSecret(forms, text, at)));
        if (found === null || (first !== null && found.start > first.start)) continue;
        if (first === null || found.start < first.start || found.end > first.end) first = found;
      }
      return first;
    };
  }

  return {
    /** Knows the secret, given as text or as its UTF-8 bytes, from now on; the returned function forgets it. */
    protect(secret: string | Uint8Array): () => void {
      const id = Symbol();
      known.set(id, formsOf(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret));
      return () => {
        known.get(id)?.fill(0);
        known.delete(id);
      };
    },
    redact(text: string): string {
      let clean = '';
      let at = 0;
      const findFrom = finder(text);
      for (;;) {
        const found = findFrom(at);
        if (found === null) return clean + text.slice(at);
        clean += text.slice(at, found.start) + mark;
        at = found.end;
      }
    },
    /** Returns whether the text holds a protected secret in any of its forms. Made for megabytes. */
    holds: (text: string): boolean => finder(text)(0) !== null,
  };
}
