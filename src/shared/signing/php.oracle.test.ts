import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { phpJson } from '../json/php.ts';
import { decodeUtf8 } from '../json/utf8.ts';
import { askPhp, runPhp, type PhpAnswer } from '../../testing/php-oracle.ts';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { describeWithTool } from '../../testing/external-tools.ts';
import { serializeBytes } from './serialize.ts';
import { checkStability } from './stability.ts';
import { formatTime } from './time.ts';
import type { Serialization } from '../model/environment.ts';

const key = 'test-private-key-not-a-secret';
const time = '20-11-2026 10:15:30';
const cases = 12_000;

/** Our side of the oracle's answer, through the entries that the workbench uses. */
function ourAnswer(bytes: Uint8Array): PhpAnswer {
  const decoded = decodeUtf8(bytes);
  function assoc(unicode: boolean): Buffer | null {
    const result = decoded.ok ? phpJson(decoded.text, { unicode, assoc: true }) : null;
    return result?.ok === true ? Buffer.from(result.json) : null;
  }
  function serialized(serialization: Serialization) {
    const result = serializeBytes(bytes, serialization);
    if (!result.ok) return { bytes: null, stable: null, hash: null };
    const hash = createHash('sha256').update(key).update(time).update(result.bytes).digest('hex');
    return { bytes: Buffer.from(result.bytes), stable: stable(result.text, serialization), hash };
  }
  const php = serialized('php');
  const unicode = serialized('php-unicode');
  const verbatim = serialized('verbatim');
  return {
    php: php.bytes,
    phpAssoc: assoc(false),
    unicode: unicode.bytes,
    unicodeAssoc: assoc(true),
    stable: { php: php.stable, 'php-unicode': unicode.stable, verbatim: verbatim.stable },
    hashPhp: php.hash,
    hashVerbatim: verbatim.hash ?? 'refused',
  };
}

/** Bytes that are not UTF-8 have no text, and PHP refuses them. */
function stable(text: string | null, serialization: Serialization): { php: boolean; phpAssoc: boolean } {
  if (text === null) return { php: false, phpAssoc: false };
  const { php, phpAssoc } = checkStability(text, serialization);
  return { php: php.stable, phpAssoc: phpAssoc.stable };
}

function shown(answer: PhpAnswer) {
  const text = (bytes: Buffer | null) => bytes?.toString('utf8') ?? 'refused';
  return {
    ...answer,
    php: text(answer.php),
    phpAssoc: text(answer.phpAssoc),
    unicode: text(answer.unicode),
    unicodeAssoc: text(answer.unicodeAssoc),
  };
}

function expectAgreement(php: string, texts: readonly Uint8Array[], note: string): PhpAnswer[] {
  const answers = askPhp(php, texts, key, time);
  for (const [index, text] of texts.entries()) {
    const theirs = shown(answers[index] as PhpAnswer);
    const ours = shown(ourAnswer(text));
    expect(ours, `${note}, case ${index}, base64 ${Buffer.from(text).toString('base64').slice(0, 4_000)}`).toEqual(theirs);
  }
  return answers;
}

describeWithTool('php', 'against PHP itself', (php) => {
  it(`agrees on ${cases} random texts, refusals, stability and hashes included`, { timeout: 120_000 }, () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    const texts = Array.from({ length: cases }, () => generator.bytes());
    const answers = expectAgreement(php, texts, `CROUPIER_SEED=${seed}`);
    // The texts must be worth the comparison: many of each kind.
    const count = (condition: (answer: PhpAnswer) => boolean) => answers.filter(condition).length;
    expect(count((answer) => answer.php !== null)).toBeGreaterThan(cases / 3);
    expect(count((answer) => answer.php === null)).toBeGreaterThan(cases / 10);
    expect(count((answer) => answer.php === null && answer.phpAssoc !== null)).toBeGreaterThan(cases / 1_000);
    expect(count((answer) => answer.stable.php?.php === false)).toBeGreaterThan(cases / 1_000);
    expect(count((answer) => answer.stable.php?.php === true && !answer.stable.php.phpAssoc)).toBeGreaterThan(cases / 50);
  });

  it('agrees on 20,000 numbers', { timeout: 120_000 }, () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    const texts = Array.from({ length: 200 }, () =>
      Buffer.from(
        `[${Array.from({ length: 100 }, () => generator.number())
          .filter(isFinite)
          .join(',')}]`,
      ),
    );
    expectAgreement(php, texts, `CROUPIER_SEED=${seed}`);
  });

  it('agrees where one byte of a small text is any byte', () => {
    const texts: Uint8Array[] = [];
    for (const frame of [
      '{"a":"?"}',
      '{"?":1}',
      '?{"a":1}',
      '{"a":1?}',
      '{"a":1}?',
      '{"a":?1}',
      '{"a":"\\?"}',
      '{"a":"\\u00?1"}',
      '[1?2]',
      '-?',
      '1.?',
      '1e?',
    ]) {
      const at = frame.indexOf('?');
      for (let byte = 0; byte < 256; byte++) {
        const text = Buffer.from(frame);
        text[at] = byte;
        texts.push(text);
      }
    }
    expectAgreement(php, texts, 'one byte');
  });

  it('agrees on every character of the basic plane and on pairs of escapes', { timeout: 60_000 }, () => {
    const texts: Uint8Array[] = [];
    for (let from = 0; from < 0x10000; from += 256) {
      const codes = Array.from({ length: 256 }, (_, i) => from + i);
      const escapes = codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`);
      texts.push(Buffer.from(JSON.stringify(codes.map((code) => String.fromCharCode(code)))));
      texts.push(Buffer.from(`["${escapes.join('","')}"]`));
      if (from >= 0xd800 && from < 0xe000)
        for (const escape of escapes) texts.push(Buffer.from(`"${escape}\\udc00"`), Buffer.from(`"\\ud800${escape}"`));
    }
    expectAgreement(php, texts, 'characters');
  });

  it('agrees on long and deep texts', () => {
    const deep = [510, 511, 512, 513, 2_000, 100_000].flatMap((levels) => [
      '['.repeat(levels) + ']'.repeat(levels),
      '{"a":'.repeat(levels) + '1' + '}'.repeat(levels),
      '['.repeat(levels),
    ]);
    const zeros = [19_990, 20_010].flatMap((count) => [
      `0.${'0'.repeat(count)}1e${count + 1}`,
      `1${'0'.repeat(count)}e-${count}`,
    ]);
    const keys = `{${Array.from({ length: 5_000 }, (_, i) => `"${i % 4_000}":${i}`).join(',')}}`;
    expectAgreement(
      php,
      [...deep, ...zeros, keys].map((text) => Buffer.from(text)),
      'long and deep',
    );
  });

  it('writes time as date() does', () => {
    // Zones whose rules have been settled for years: PHP and this runtime bring their own time zone databases.
    const zones = [
      'UTC',
      'Europe/Berlin',
      'Europe/London',
      'America/New_York',
      'America/Sao_Paulo',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Europe/Malta',
      'America/St_Johns',
    ];
    const seed = chooseSeed();
    const random = seededRandom(seed);
    const moments: [string, number][] = [];
    for (const zone of zones) {
      for (let i = 0; i < 400; i++) moments.push([zone, Math.floor(random() * 1_798_761_600)]);
      // Both clock changes of Europe and of the United States in 2026, second by second around them, and the turn of the year.
      for (const change of [1_774_746_000, 1_792_890_000, 1_772_953_200, 1_793_512_800, 1_798_761_600, 951_782_400]) {
        for (const offset of [-86_400, -3_601, -1, 0, 1, 3_599, 3_600]) moments.push([zone, change + offset]);
      }
    }
    const script =
      'while (($l = fgets(STDIN)) !== false) { [$z, $t] = explode(" ", trim($l)); date_default_timezone_set($z); echo date("d-m-Y H:i:s", (int) $t), "|", date("Y-m-d H:i:s", (int) $t), "\n"; }';
    const input = moments.map(([zone, second]) => `${zone} ${second}\n`).join('');
    const theirs = runPhp(php, ['-r', script], input).split('\n').slice(0, -1);
    expect(theirs).toHaveLength(moments.length);
    const ours = moments.map(
      ([zone, second]) => `${formatTime(second * 1_000 + 999, zone, 'dmy')}|${formatTime(second * 1_000, zone, 'ymd')}`,
    );
    const different = moments.flatMap((moment, i) => (ours[i] === theirs[i] ? [] : [[...moment, ours[i], theirs[i]]]));
    expect(different, `CROUPIER_SEED=${seed}`).toEqual([]);
  });
});

function isFinite(text: string): boolean {
  return Number.isFinite(Number(text));
}
