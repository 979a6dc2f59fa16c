// A stand-in for node:path in a test of the page.
export const join = (...parts: readonly string[]): string => parts.join('/');
