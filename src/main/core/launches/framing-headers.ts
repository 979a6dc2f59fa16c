type Headers = readonly (readonly [name: string, value: string])[];

/** A header that would keep an operator's page from embedding a game. `some`: pages of the origins that it names may. */
export interface FramingProblem {
  readonly message: string;
  readonly allows: 'nobody' | 'some';
}

/** Returns headers that would prevent an operator's page from embedding a game, which the spec allows. */
export function framingProblems(headers: Headers): FramingProblem[] {
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
      .map((directive) => {
        const sources = directive.slice('frame-ancestors'.length).trim() || "'none'";
        const allows = /^'(?:none|self)'$/i.test(sources) ? 'nobody' : 'some';
        return { message: `Content-Security-Policy allows embedding only by: ${sources}`, allows };
      });
  }
  return values('x-frame-options')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => /^(?:deny|sameorigin)$/i.test(value))
    .map((value) => ({ message: `X-Frame-Options: ${value} forbids embedding`, allows: 'nobody' }));
}
