/** Requests to the double, in order. Tests read them through `electronApp.evaluate(({ doubleRecord }) => …)`. */
export const doubleRecord: { readonly what: string; readonly detail: unknown }[] = [];

/** Writes one line of it. */
export function record(what: string, detail: unknown): void {
  doubleRecord.push({ what, detail });
}
