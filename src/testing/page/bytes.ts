// Bytes of texts for tests of the page, which has no Buffer.
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Returns the size of a text in bytes. */
export const sizeOf = (text: string): number => bytesOf(text).length;
/** Returns the bytes of a text in hexadecimal, apart. */
export const hexOf = (text: string): string => Array.from(bytesOf(text), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
