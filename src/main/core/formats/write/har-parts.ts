/** A text without its secrets. */
type Clean = (text: string) => string;

/** Returns headers as HAR 1.2 writes them. */
export function harHeaders(headers: readonly (readonly [name: string, value: string])[], clean: Clean) {
  return headers.map(([name, value]) => ({ name, value: clean(value) }));
}

/** Returns the parameters of a URL as HAR 1.2 writes them; none of a URL that cannot be read. */
export function harQuery(url: string, clean: Clean) {
  return [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value: clean(value) }));
}

/** Returns milliseconds with three digits behind the point. */
export function harTime(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
