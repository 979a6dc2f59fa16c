import { expect, it } from 'vitest';
import { askPhp } from '../../testing/php-oracle.ts';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { describeWithTool } from '../../testing/external-tools.ts';
import { phpDecode, phpEncode } from './php-json.ts';

describeWithTool('php', "the provider's reading of JSON against PHP itself", (php) => {
  it('agrees on the arrays that associative decoding makes of objects', () => {
    const texts = [
      '{}',
      '{"0":1,"1":{"a":{}}}',
      '{"1":1,"0":2}',
      '{"0":1,"2":2}',
      '{"00":1}',
      '{"-0":1}',
      '{"0":1,"1":2,"0":3}',
      '{"\\u0000a":1}',
      '{"\\u0000":{}}',
      '{"":[]}',
      '{"0":{"0":"é"}}',
    ].map((text) => Buffer.from(text));
    const answers = askPhp(php, texts, 'key', 'time').map(({ phpAssoc }) => phpAssoc?.toString() ?? null);
    expect(texts.map((bytes) => readWith(bytes, { associative: true, unescapedUnicode: false }))).toEqual(answers);
    expect(answers.slice(0, 3)).toEqual(['[]', '[1,{"a":[]}]', '{"1":1,"0":2}']);
  });

  it('agrees on 4,000 random texts in both ways of decoding, refusals included', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    const texts = Array.from({ length: 4_000 }, () => generator.bytes());
    const answers = askPhp(php, texts, 'key', 'time');
    const differing = texts.flatMap((bytes, index) => {
      const answer = answers[index];
      const ours = [false, true].flatMap((associative) =>
        [false, true].map((unescapedUnicode) => readWith(bytes, { associative, unescapedUnicode })),
      );
      const forms = [answer?.php, answer?.unicode, answer?.phpAssoc, answer?.unicodeAssoc];
      const theirs = forms.map((form) => form?.toString('utf8') ?? null);
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ text: bytes.toString('utf8'), ours, theirs }];
    });
    expect(differing, `seed ${seed}`).toEqual([]);
  });
});

function readWith(bytes: Uint8Array, flags: { associative: boolean; unescapedUnicode: boolean }): string | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  const decoded = phpDecode(text, flags);
  return decoded.ok ? phpEncode(decoded.value, flags) : null;
}
