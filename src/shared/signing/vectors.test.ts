import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { phpJson } from '../json/php.ts';
import { decodeUtf8 } from '../json/utf8.ts';
import type { Serialization } from '../model/environment.ts';
import { serializeBytes } from './serialize.ts';
import { checkStability } from './stability.ts';
import vectors from './vectors/signing.json' with { type: 'json' };

type Answer = { json: string } | { error: string };
interface Case {
  id: string;
  dataTextBase64: string;
  php: Answer;
  phpAssoc: Answer;
  phpUnescapedUnicode: Answer;
  stable?: { php: boolean; phpAssoc: boolean };
  hashPhp?: string;
  hashPhpUnescapedUnicode?: string;
  hashVerbatim: string;
}

// The cases differ in their members, which the file's inferred type cannot say.
const cases = vectors.cases as Case[];

function hash(data: Uint8Array | string): string {
  return createHash('sha256').update(vectors.privateKey).update(vectors.time).update(data).digest('hex');
}

function serialized(bytes: Uint8Array, serialization: Serialization): { json: string; hash: string } | 'refused' {
  const result = serializeBytes(bytes, serialization);
  return result.ok ? { json: Buffer.from(result.bytes).toString('utf8'), hash: hash(result.bytes) } : 'refused';
}

function wanted(answer: Answer, hashed: string | undefined) {
  return 'json' in answer ? { json: answer.json, hash: hashed } : 'refused';
}

describe('the vectors', () => {
  it('are all there', () => {
    expect(cases).toHaveLength(123);
    expect(hash('')).toBe(vectors.hashNoData);
  });

  it.each(cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    const bytes = Buffer.from(one.dataTextBase64, 'base64');
    expect(serialized(bytes, 'php')).toEqual(wanted(one.php, one.hashPhp));
    expect(serialized(bytes, 'php-unicode')).toEqual(wanted(one.phpUnescapedUnicode, one.hashPhpUnescapedUnicode));

    const verbatim = serializeBytes(bytes, 'verbatim');
    if (!verbatim.ok) throw new Error('verbatim refused');
    expect(Buffer.compare(verbatim.bytes, bytes)).toBe(0);
    expect(hash(verbatim.bytes)).toBe(one.hashVerbatim);

    const decoded = decodeUtf8(bytes);
    const assoc = decoded.ok ? phpJson(decoded.text, { unicode: false, assoc: true }) : { ok: false };
    expect('json' in assoc ? { json: assoc.json } : 'refused').toEqual('json' in one.phpAssoc ? one.phpAssoc : 'refused');

    if ('json' in one.php) {
      const { php, phpAssoc } = checkStability(one.php.json, 'php');
      expect({ php: php.stable, phpAssoc: phpAssoc.stable }).toEqual(one.stable);
    }
  });
});
