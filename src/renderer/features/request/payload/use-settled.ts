import { useEffect, useState } from 'react';

/**
 * Returns a value once it was still for a moment, for work that need not be done at every key press; another `key` takes over at
 * once.
 */
export function useSettled<V>(value: V, milliseconds: number, key: string): V {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    if (settled.value === value && settled.key === key) return undefined;
    const timer = setTimeout(() => setSettled({ value, key }), milliseconds);
    return () => clearTimeout(timer);
  }, [value, key, milliseconds, settled]);
  return settled.key === key ? settled.value : value;
}
