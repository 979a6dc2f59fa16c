/** Marks the JSON of a support pack, in its first lines. */
export const packFormat = 'croupier-support-pack';

const start = 'pack:';

/** Returns the ID of an environment that is known from a support pack alone. No environment of a home has such an ID. */
export function packEnvironment(name: string): string {
  return `${start}${name}`;
}

export function isPackEnvironment(id: string): boolean {
  return id.startsWith(start);
}
