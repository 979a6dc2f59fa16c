import { maskUrlTokens } from '#shared/provider/tokens.ts';
import { maskSecretForms } from '#shared/secrets/secret-names.ts';
import { createFormFinder, edited } from './find-forms.ts';
import { createRedaction } from './redaction.ts';
import { maskNamedSecrets } from './token-mask.ts';

/** Shortest token that is searched for: a shorter one is a part of any text. */
const shortest = 4;

/** Masks the tokens of a launch in texts of its page. */
export function createLaunchTexts(tokens: readonly string[]) {
  const known = tokens.filter(({ length }) => length >= shortest);
  const forms = known.flatMap(formsOf).filter(({ length }) => length >= shortest);
  const find = createFormFinder(forms.toSorted((one, other) => other.length - one.length).map((form) => [form, '[hidden]']));
  const redaction = createRedaction();
  for (const token of known) redaction.protect(token);
  return {
    /** Returns the text without the launch's tokens, also in other case, encoded or escaped, without secrets in URLs, under names of secrets, and JWTs. */
    clean(text: string): string {
      const masked = maskSecretForms(maskUrlTokens(maskNamedSecrets(text)));
      return redaction.redact(edited(masked, find(masked, [])));
    },
    /** Returns whether a text holds a token of the launch. */
    holds: (text: string): boolean => find(text, []).length > 0,
  };
}

/** Returns the forms of a token in a text; base64 without characters that also carry neighbouring bits. */
function formsOf(token: string): string[] {
  const bytes = Buffer.from(token, 'utf8');
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [token, encodeURIComponent(token.toWellFormed()), JSON.stringify(token).slice(1, -1), bytes.toString('hex'), ...base64];
}
