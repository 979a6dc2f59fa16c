import type { z } from './schema.ts';

/**
 * Parses plain JSON and leaves out unknown fields, at any depth, because a newer version may have written them; `whole`: there were none.
 * Null if the known fields do not match the schema.
 */
export function understood<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
): { readonly value: z.output<T>; readonly whole: boolean } | null {
  let rest: unknown;
  for (;;) {
    const parsed = schema.safeParse(rest ?? value);
    if (parsed.success) return { value: parsed.data, whole: rest === undefined };
    const { issues } = parsed.error;
    rest ??= JSON.parse(JSON.stringify(value));
    if (!issues.every(({ code }) => code === 'unrecognized_keys')) return null;
    for (const issue of issues) {
      if (issue.code !== 'unrecognized_keys') continue;
      const at = issue.path.reduce<unknown>((found, name) => (found as Record<PropertyKey, unknown>)[name], rest);
      for (const name of issue.keys) delete (at as Record<string, unknown>)[name];
    }
  }
}
