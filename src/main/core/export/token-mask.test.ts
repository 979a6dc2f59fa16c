import { describe, expect, it } from 'vitest';
import { createTokenMask } from './token-mask.ts';

const isToken = (name: string) => /token/i.test(name) || name === 'sid' || name === 'a/"b';

describe('a token that a text holds', () => {
  const secret = 'abcd-4711';
  it.each([
    ['under a name that speaks of it', `{"a":{"sessionToken":"${secret}"}}`],
    ['under a recorded name', `{"list":["x","y"],"sid" : "${secret}"}`],
    ['under a recorded name with an escape', `{"s\\u0069d":"${secret}"}`],
    ['under a recorded name with a slash and a quote', `{"a\\/\\"b":"${secret}"}`],
    ['under such a name with an escape', `{"\\u0074oken":"${secret}"}`],
    ['in an address', `{"url":"https://x.example/?t=1&replayToken=${secret}"}`],
    ['in JSON within a text', `{"body":"{\\"token\\":\\"${secret}\\"}"}`],
    ['in a body that is not JSON', `{'token': '${secret}',`],
  ])('is masked in a sentence that quotes it: %s', (_, text) => {
    expect(createTokenMask([text], isToken).text(`It is "${secret}".`)).toBe('It is "[token]".');
  });

  it('is masked in the spelling of its text, and where a sentence has its beginning alone', () => {
    const token = `é/${'0123456789'.repeat(12)}`;
    const written = `\\u00E9\\/${token.slice(2)}`;
    const mask = createTokenMask([`{"token":"${written}"}`], isToken);
    for (const form of [token, written, `${token.slice(0, 79)}…`, `${written.slice(0, 79)}…`]) {
      expect(mask.text(`It is "${form}".`)).toMatch(/^It is "\[token\]…?"\.$/);
    }
  });

  it('leaves everything else', () => {
    const mask = createTokenMask([`{"slots":[{"id":${'1'.repeat(9)},"gameName":"Book of Dead"}]}`], isToken);
    expect(mask.text('Book of Dead has 111111111 bets.')).toBe('Book of Dead has 111111111 bets.');
    expect(mask.masked()).toBe(0);
  });
});
