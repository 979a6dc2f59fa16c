import type { z } from './schema.ts';

/**
 * What a schema understands of plain JSON: fields that it does not know are left out, at any depth, as a newer version may have written them; `whole`:
 * there were none. Null where the rest is not as it says.
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
