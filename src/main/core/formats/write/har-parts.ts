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

/** Returns a request with JSON as HAR 1.2 writes it. */
export function harRequest<H, Q>(
  url: string,
  sent: { readonly headers: H; readonly queryString: Q; readonly text: string; readonly bodySize: number },
) {
  const { headers, queryString, text, bodySize } = sent;
  const postData = { mimeType: 'application/json', text };
  return { method: 'POST', url, httpVersion: 'HTTP/1.1', cookies: [], headers, queryString, postData, headersSize: -1, bodySize };
}

/** Returns a response as HAR 1.2 writes it; of what is not given, as if none came. */
export function harResponse<T extends object>(given: T) {
  return {
    status: 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    content: { size: 0, mimeType: 'x-unknown' },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
    ...given,
  };
}
