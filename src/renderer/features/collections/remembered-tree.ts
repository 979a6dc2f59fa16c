import { late, otherwise, z } from '#shared/model/schema.ts';

export const sidebarParts = ['operations', 'collections'] as const;
export type SidebarPart = (typeof sidebarParts)[number];

/** Number of open rows that are remembered: more than anybody opens; a whole open tree would fill the settings. */
const mostOpen = 2_000;

const rememberedSchema = late(() =>
  z.object({
    part: otherwise(z.enum(sidebarParts), 'operations'),
    open: otherwise(z.array(z.string()), []),
  }),
);

/** Returns JSON text of the state in which the tree was left. */
export function writeRemembered({ part, open }: { part: SidebarPart; open: ReadonlySet<string> }): string {
  return JSON.stringify({ part, open: [...open].slice(-mostOpen) });
}

/** Reads the text of `writeRemembered`; the usual state for any other text. */
export function readRemembered(text: string | undefined): { part: SidebarPart; open: ReadonlySet<string> } {
  let value: unknown;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    // Damaged settings are as good as none.
  }
  const found = typeof value === 'object' && value !== null ? rememberedSchema().safeParse(value).data : undefined;
  return { part: found?.part ?? 'operations', open: new Set(found?.open) };
}
