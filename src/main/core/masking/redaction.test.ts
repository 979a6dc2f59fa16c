import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { leaksIn, secretForms } from '../../../testing/secret-forms.ts';
import { createRedaction } from './redaction.ts';

/** Printable and awkward characters, from 8 bytes on so that no form of one secret is found in a text by chance. */
const secrets = fc.oneof(
  fc.string({ minLength: 8, maxLength: 60, unit: 'binary' }),
  fc.string({ minLength: 8, maxLength: 60 }),
  fc.string({
    minLength: 8,
    maxLength: 40,
    unit: fc.constantFrom('"', '\\', '/', '+', ' ', '%', '\n', 'é', '😀', '&', '.', '*', '(', 'n', 'u'),
  }),
);

describe('redact', () => {
  it('finds every form of any secret inside any text', () => {
    fc.assert(
      fc.property(secrets, fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (secret, before, after) => {
        const redaction = createRedaction();
        redaction.protect(secret);
        for (const [name, form] of secretForms(secret)) {
          const clean = redaction.redact(`${before}${form}${after}`);
          expect(clean, name).toContain('[hidden]');
          expect(clean.includes(form), name).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('finds a secret anywhere in a longer base64 text', () => {
    const secret = 'k3y/with+odd"characters é😀';
    const redaction = createRedaction();
    redaction.protect(secret);
    for (let before = 0; before < 9; before++) {
      for (let after = 0; after < 4; after++) {
        const whole = Buffer.concat([Buffer.alloc(before, 'x'), Buffer.from(secret), Buffer.alloc(after, 'y')]);
        for (const encoding of ['base64', 'base64url'] as const) {
          const clean = redaction.redact(`{"a":"${whole.toString(encoding)}"}`);
          expect(clean).toContain('[hidden]');
          expect(leaksIn(clean, secret)).toEqual([]);
        }
      }
    }
  });

  it('finds several secrets, each as often as it is there, and leaves the rest of the text as it is', () => {
    const redaction = createRedaction();
    redaction.protect('first-secret');
    redaction.protect('second-secret');
    expect(redaction.redact('a first-secret, a second-secret, again first-secret.')).toBe(
      'a [hidden], a [hidden], again [hidden].',
    );
    expect(redaction.redact('nothing of the kind: first secret')).toBe('nothing of the kind: first secret');
  });

  it('hides the longest of several that begin at one place, and what begins first', () => {
    for (const secrets of [
      ['first-secret', 'first-secret-and-more', 'secret-and-more-and-more'],
      ['secret-and-more-and-more', 'first-secret-and-more', 'first-secret'],
      ['first-secret-and-more', 'first-secret', 'secret-and-more-and-more'],
    ]) {
      const redaction = createRedaction();
      for (const secret of secrets) redaction.protect(secret);
      expect(redaction.redact('a first-secret-and-more.')).toBe('a [hidden].');
      expect(redaction.redact('a first-secret-and-more-and-more.')).toBe('a [hidden]-and-more.');
      expect(redaction.redact('a secret-and-more-and-more, a first-secret')).toBe('a [hidden], a [hidden]');
    }
  });

  it('overwrites what it made of a secret when that is forgotten', () => {
    const redaction = createRedaction();
    const forget = redaction.protect(new TextEncoder().encode('given-as-bytes'));
    expect(redaction.redact('given-as-bytes')).toBe('[hidden]');
    forget();
    forget();
    expect(redaction.holds('given-as-bytes')).toBe(false);
  });

  it('knows a secret only until it is forgotten, and each protection on its own', () => {
    const redaction = createRedaction();
    const forgetOne = redaction.protect('same-secret');
    const forgetTwo = redaction.protect('same-secret');
    forgetOne();
    expect(redaction.redact('same-secret')).toBe('[hidden]');
    forgetTwo();
    expect(redaction.redact('same-secret')).toBe('same-secret');
  });

  it('leaves texts readable where the secret is too short to be one', () => {
    const redaction = createRedaction();
    redaction.protect('a');
    redaction.protect('');
    expect(redaction.redact('a banana')).toBe('a banana');
  });

  it('takes the longest key the contract lets in, whatever it is made of', () => {
    const secret = 'ä"\\/'.repeat(1_024);
    const redaction = createRedaction();
    redaction.protect(secret);
    for (const [name, form] of secretForms(secret)) expect(redaction.redact(`<${form}>`).length, name).toBeLessThan(30);
  });

  it('finds a secret whose characters are spelled in different ways', () => {
    const redaction = createRedaction();
    redaction.protect('a"b/c d\\');
    expect(redaction.redact('<a\\"b%2fc+d\\\\\\\\>')).toBe('<[hidden]>');
    expect(redaction.redact('<\\u0061\\\\\\"\\u0062\\/c d\\>')).toBe('<[hidden]>');
  });
});

describe('holds', () => {
  it('says of any text what redacting it would show', () => {
    fc.assert(
      fc.property(secrets, fc.string({ maxLength: 20 }), (secret, around) => {
        const redaction = createRedaction();
        redaction.protect(secret);
        for (const [name, form] of secretForms(secret)) expect(redaction.holds(`${around}${form}${around}`), name).toBe(true);
        expect(redaction.holds(around)).toBe(redaction.redact(around) !== around);
      }),
      { numRuns: 300 },
    );
  });

  it('is not misled by a beginning of the secret right before it', () => {
    const redaction = createRedaction();
    redaction.protect('aab-aab-secret');
    expect(redaction.holds('aab-aab-aab-secret')).toBe(true);
    expect(redaction.holds('aab-aab-aab-secre')).toBe(false);
  });
});
