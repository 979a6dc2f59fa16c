/** Returns the index that a navigation key moves to within `count` items, around the ends; null for any other key. */
export function nextIndex(key: string, current: number, count: number, axis: 'horizontal' | 'vertical'): number | null {
  if (count === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === (axis === 'horizontal' ? 'ArrowRight' : 'ArrowDown')) return (current + 1) % count;
  if (key === (axis === 'horizontal' ? 'ArrowLeft' : 'ArrowUp')) return (Math.max(current, 0) - 1 + count) % count;
  return null;
}
