import type { Serialization } from '../model/environment.ts';
import type { JsonSyntaxError } from '../json/parse.ts';
import { phpJson } from '../json/php.ts';
import { explainDifference, type Difference } from './difference.ts';

/** What one way of decoding and encoding again makes of `data`. */
export interface Reencoding {
  readonly stable: boolean;
  /** The text it becomes; null where PHP refuses it. */
  readonly becomes: string | null;
  /** Null where stable, and where PHP refuses it. */
  readonly firstDifference: Difference | null;
  /** Why and where PHP refuses it. */
  readonly error: JsonSyntaxError | null;
}

/** Whether `data` survives a provider that decodes and re-encodes it, with objects kept (`php`) or as associative arrays. */
export interface Stability {
  readonly php: Reencoding;
  readonly phpAssoc: Reencoding;
  /** True where the provider hashes `data` as it arrives, by the recorded answer: then nothing can change. */
  readonly asReceived?: true;
}

/**
 * Decodes and encodes again as a PHP provider may, with the flags of the serialization (`verbatim`: those of `php`). A recorded answer
 * to `hash.reencode` leaves one way of decoding, which then stands for both, or none.
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
  const stable = result.json === dataJson;
  const firstDifference = stable ? null : explainDifference(dataJson, result.json);
  return { stable, becomes: result.json, firstDifference, error: null };
}
