import { z } from '../../model/schema.ts';

/** A support pack that is open. */
export const ListedPack = z.strictObject({
  id: z.string(),
  /** Its file's name; with a number if another open pack has the same. */
  name: z.string(),
  calls: z.int(),
  /** Names of the environments of its calls, each once. */
  environments: z.array(z.string()),
  /** Time of its writing, such as `2026-11-26T10:00:00.000Z`. */
  madeAt: z.string(),
  /** The program that wrote it, with its version. */
  program: z.string(),
  /** Number of calls in which something is masked. */
  maskedCalls: z.int(),
  /** Parts in which something is masked, each once. */
  maskedParts: z.array(z.string()),
  /** The page compared with the one that was written with it; `absent`: nobody gave one. */
  page: z.enum(['same', 'different', 'absent']),
});
export type ListedPack = z.infer<typeof ListedPack>;

export const packOutputs = {
  'packs.upload': z.strictObject({}),
  'packs.open': ListedPack,
  'packs.list': z.strictObject({ packs: z.array(ListedPack) }),
  'packs.close': z.strictObject({ closed: z.boolean() }),
};

export const packEvents = {
  /** A pack was opened or closed. */
  'packs.changed': z.strictObject({}),
};
