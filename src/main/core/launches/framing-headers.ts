type Headers = readonly (readonly [name: string, value: string])[];

/** Returns sentences about headers that would prevent an operator's page from embedding a game, which the spec allows. */
export function framingProblems(headers: Headers): string[] {
  const values = (name: string) => headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
  const ancestors = values('content-security-policy')
    .flatMap((value) => value.split(/[;,]/))
    .map((directive) => directive.trim())
    .filter((directive) => /^frame-ancestors(?:\s|$)/i.test(directive));
  // A browser that finds frame-ancestors does not look at X-Frame-Options.
  if (ancestors.length > 0) {
    return ancestors
      .filter(
        (directive) =>
          !directive
            .split(/\s+/)
            .slice(1)
            .some((source) => source === '*' || source.toLowerCase() === 'https:'),
      )
      .map(
        (directive) =>
          `Content-Security-Policy allows embedding only by: ${directive.slice('frame-ancestors'.length).trim() || "'none'"}`,
      );
  }
  return values('x-frame-options')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => /^(?:deny|sameorigin)$/i.test(value))
    .map((value) => `X-Frame-Options: ${value} forbids embedding`);
}
