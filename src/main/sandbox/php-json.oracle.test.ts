import { expect, it } from 'vitest';
import { askPhp } from '../../testing/php-oracle.ts';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { describeWithTool } from '../../testing/external-tools.ts';
import { phpDecode, phpEncode } from './php-json.ts';

describeWithTool('php', "the provider's reading of JSON against PHP itself", (php) => {
  it('agrees on 4,000 random texts, refusals included', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    const texts = Array.from({ length: 4_000 }, () => generator.bytes());
    const answers = askPhp(php, texts, 'key', 'time');
    const differing = texts.flatMap((bytes, index) => {
      const answer = answers[index];
      const ours = [readWith(bytes, false), readWith(bytes, true)];
      const theirs = [answer?.php?.toString('utf8') ?? null, answer?.unicode?.toString('utf8') ?? null];
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ text: bytes.toString('utf8'), ours, theirs }];
    });
    expect(differing, `seed ${seed}`).toEqual([]);
  });
});

function readWith(bytes: Uint8Array, unescapedUnicode: boolean): string | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  const decoded = phpDecode(text);
  return decoded.ok ? phpEncode(decoded.value, { unescapedUnicode }) : null;
}
