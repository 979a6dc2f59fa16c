import { describe, expect, it } from 'vitest';
import { phpJson } from '#shared/json/php.ts';
import { createResolver } from '#shared/variables/resolver.ts';
import { createScopes } from '#shared/variables/scopes.ts';
import { substitute } from '#shared/variables/substitute.ts';
import { variableParts } from './variable-marks.ts';

const values = { name: 'Zoë/"1"', amount: '0.10', list: '["p", "q"]', key: 'id' };
const generated = { value: () => ({ ok: false, message: '' }) as const, timeOrderOf: () => 'dmy' as const };

/** Returns the parts of the serialized text that came from variables. */
function parts(typed: string): string[] {
  const filled = substitute(typed, createResolver(createScopes({ run: values }), generated), { kind: 'json', limit: 1_000 });
  if (!filled.ok) throw new Error(filled.errors[0]?.message);
  const written = phpJson(filled.text, { unicode: false, assoc: false });
  if (!written.ok) throw new Error(written.error.message);
  return variableParts(filled.text, written.json, filled.uses).map(
    ({ start, end, name }) => `${name}=${written.json.slice(start, end)}`,
  );
}

describe('the parts of the hash input that came from variables', () => {
  it('are found behind other spaces and escapes', () => {
    expect(parts('{ "a" : "ö {{name}} / {{name}}!", "b": [ {{amount}}, -{{amount}} ] }')).toEqual([
      'name=Zo\\u00eb/\\"1\\"',
      'name=Zo\\u00eb/\\"1\\"',
      'amount=0.1',
      'amount=0.1',
    ]);
  });

  it('are whole values where a variable is one', () => {
    expect(parts('{"a": {{list}}}')).toEqual(['list=["p","q"]']);
  });

  it('are left out where they cannot be found again, as in names', () => {
    expect(parts('{"{{key}}": 1}')).toEqual([]);
  });
});
