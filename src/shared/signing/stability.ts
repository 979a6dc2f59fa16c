import type { Serialization } from '../model/environment.ts';
import type { JsonSyntaxError } from '../json/parse.ts';
import { phpJson } from '../json/php.ts';
import { explainDifference, type Difference } from './difference.ts';

/** Result of decoding and re-encoding `data` in one way. */
export interface Reencoding {
  readonly stable: boolean;
  /** The re-encoded text; null if PHP refuses it. */
  readonly becomes: string | null;
  /** Null if the text is stable, and if PHP refuses it. */
  readonly firstDifference: Difference | null;
  /** Reason and position at which PHP refuses it; otherwise null. */
  readonly error: JsonSyntaxError | null;
}

/** Stability of `data` at a provider that decodes and re-encodes it, with objects kept (`php`) or as associative arrays. */
export interface Stability {
  readonly php: Reencoding;
  readonly phpAssoc: Reencoding;
  /** True if the provider hashes `data` as it arrives, by the recorded answer, so that nothing can change. */
  readonly asReceived?: true;
}

/**
 * Decodes and re-encodes as a PHP provider may, with the flags of the serialization (`verbatim`: those of `php`). A recorded answer
 * to `hash.reencode` selects one way of decoding for both results, or none.
 */
export function checkStability(dataJson: string, serialization: Serialization, recorded: string | null = null): Stability {
  const unicode = serialization === 'php-unicode';
  if (recorded === 'received') {
    const same = { stable: true, becomes: dataJson, firstDifference: null, error: null };
    return { php: same, phpAssoc: same, asReceived: true };
  }
  if (recorded === 'objects' || recorded === 'arrays') {
    const only = reencode(dataJson, unicode, recorded === 'arrays');
    return { php: only, phpAssoc: only };
  }
  return { php: reencode(dataJson, unicode, false), phpAssoc: reencode(dataJson, unicode, true) };
}

function reencode(dataJson: string, unicode: boolean, assoc: boolean): Reencoding {
  const result = phpJson(dataJson, { unicode, assoc });
  if (!result.ok) return { stable: false, becomes: null, firstDifference: null, error: result.error };
  const firstDifference = explainDifference(dataJson, result.json);
  return { stable: firstDifference === null, becomes: result.json, firstDifference, error: null };
}
