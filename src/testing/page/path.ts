// A stand-in for node:path in a test of the page.
export const join = (...parts: readonly string[]): string => parts.join('/');
export const dirname = (file: string): string => file.slice(0, file.lastIndexOf('/'));
