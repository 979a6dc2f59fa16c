/**
 * Merges a change into `raw`, which may hold more than this version understands: `known` is the understood part of it, `now` its changed
 * version. Unchanged and unknown parts stay as they were read. All three are plain JSON.
 */
export function keepUnknown(raw: unknown, known: unknown, now: unknown): unknown {
  if (isSame(known, now)) return raw;
  if (!isObject(raw) || !isObject(known) || !isObject(now)) return now;
  // A map, since a name may be `__proto__`.
  const kept = new Map<string, unknown>();
  for (const [name, value] of Object.entries(raw)) {
    if (Object.hasOwn(now, name)) {
      kept.set(name, Object.hasOwn(known, name) ? keepUnknown(value, known[name], now[name]) : now[name]);
    } else if (!Object.hasOwn(known, name)) kept.set(name, value);
  }
  for (const [name, value] of Object.entries(now)) if (!kept.has(name)) kept.set(name, value);
  return Object.fromEntries(kept);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => isSame(value, other[at]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  const others = Object.keys(other).filter((name) => other[name] !== undefined);
  return names.length === others.length && names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
