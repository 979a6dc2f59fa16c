import { beyond, readers } from '#shared/model/readers.ts';

const { depth: maxDepth, values: maxValues, characters: maxCharacters } = readers['page.input'];

/**
 * Says what makes an input too much to look at, or null. Runs before the schema, which would otherwise walk a hostile value to
 * its end. Plain JSON only: nothing that could run code when it is read.
 */
export function describeExcess(input: unknown): string | null {
  let values = 0;
  let characters = 0;
  const pending: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (++values > maxValues) return tooMuch('values');
    if (typeof value === 'string') {
      characters += value.length;
      if (characters > maxCharacters) return tooMuch('characters');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxDepth) return tooMuch('depth');
    if (Array.isArray(value)) {
      if (value.length > maxValues) return tooMuch('values');
      for (const item of value) pending.push({ value: item, depth: depth + 1 });
      continue;
    }
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (prototype !== null && prototype !== Object.prototype && !isForeignPlain(prototype))
      return 'The input holds something that is not plain JSON.';
    if (hasMoreThan(value, maxValues - values)) return tooMuch('values');
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (key === '__proto__') return 'The input holds a property named __proto__.';
      if (!('value' in descriptor)) return 'The input holds something that is not plain JSON.';
      characters += key.length;
      pending.push({ value: descriptor.value, depth: depth + 1 });
    }
  }
  return null;
}

function tooMuch(measure: 'values' | 'characters' | 'depth'): string {
  return `The input ${beyond('page.input', { [measure]: Number.POSITIVE_INFINITY })}`;
}

/** Counts names without making a descriptor of each. */
function hasMoreThan(value: object, most: number): boolean {
  let names = 0;
  for (const name in value) if (Object.hasOwn(value, name) && ++names > most) return true;
  return false;
}

/** A plain object of another realm, as structured cloning between contexts makes. */
function isForeignPlain(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty');
}
