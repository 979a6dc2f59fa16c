/** Returns part `index` (from 1) of `count`, as a set of names: each name is in one part, and the parts take about as long as each other. */
export function shardOf(names, seconds, index, count) {
  // A shorter one is not in the list.
  const took = (name) => seconds[name] ?? 1;
  const parts = Array.from({ length: count }, () => ({ names: new Set(), sum: 0 }));
  for (const name of names.toSorted((a, b) => took(b) - took(a) || (a < b ? -1 : 1))) {
    const least = parts.reduce((best, part) => (part.sum < best.sum ? part : best));
    least.names.add(name);
    least.sum += took(name);
  }
  return parts[index - 1].names;
}

/** Reads `I/N`, the first and the last of which is N; ends with a message for anything else. */
export function readShard(text) {
  const [, index, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? [];
  if (index !== undefined && Number(index) <= Number(count)) return [Number(index), Number(count)];
  throw new Error('"--shard I/N" takes the number of a part and how many there are, such as 2/3.');
}
