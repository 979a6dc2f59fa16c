import { fc } from '#testing/fast-check.ts';
import { expect, it } from 'vitest';
import { chooseSeed } from '../../testing/seeded-random.ts';
import { runPhp } from '../../testing/php-oracle.ts';
import { describeWithTool } from '../../testing/external-tools.ts';
import { createGenerated } from './generated.ts';
import { createResolver } from './resolver.ts';
import { createScopes } from './scopes.ts';
import { substitute } from './substitute.ts';

const generated = createGenerated({ environment: { timeZone: 'UTC', answers: {} }, now: 0, newId: () => 'id' });
// One text of JSON on each line; one base64 of the name and the value that it was read as.
const script =
  'while (($l = fgets(STDIN)) !== false) { $d = json_decode(base64_decode($l), true, 512, JSON_THROW_ON_ERROR); $k = array_key_last($d); echo base64_encode($k), " ", base64_encode($d[$k]), "\\n"; }';

describeWithTool('php', 'values in JSON strings, read by PHP itself', (php) => {
  it('come out as they went in', () => {
    const seed = chooseSeed();
    const value = fc.string({
      unit: fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('"', '\\', '/', '{{', '}}', '\0', '\n', '\r\n', '\u2028', '\u007f', '\\u0041', '\\ud83d', '😀'),
      ),
    });
    const pairs = fc.sample(fc.tuple(value, value), { numRuns: 5_000, seed });
    const texts = pairs.map(([name, text]) => {
      const resolver = createResolver(createScopes({ run: { name, text } }), generated);
      const result = substitute('{"<{{name}}>": "<{{ text }}>"}', resolver, { kind: 'json', limit: 1_000_000 });
      if (!result.ok) throw new Error(result.errors[0]?.message);
      return `${Buffer.from(result.text).toString('base64')}\n`;
    });
    const lines = runPhp(php, ['-r', script], texts.join('')).split('\n').slice(0, -1);
    const read = lines.map((line) => line.split(' ').map((part) => Buffer.from(part, 'base64').toString('utf8')));
    expect(read, `CROUPIER_SEED=${seed}`).toEqual(pairs.map(([name, text]) => [`<${name}>`, `<${text}>`]));
  });
});
