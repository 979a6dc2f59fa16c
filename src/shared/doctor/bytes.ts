/** Writes bytes as lowercase hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads pairs of hexadecimal digits. */
export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Writes bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.subarray(at, at + 3);
    const all = (one << 16) | ((two ?? 0) << 8) | (three ?? 0);
    text += `${digits[all >> 18]}${digits[(all >> 12) & 63]}`;
    text += `${two === undefined ? '=' : digits[(all >> 6) & 63]}${three === undefined ? '=' : digits[all & 63]}`;
  }
  return text;
}

/** Reads base64 in both alphabets, with or without its padding; null for another text. */
export function bytesOfBase64(text: string): Uint8Array | null {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (plain.length % 4 === 1 || /[^A-Za-z\d+/]/.test(plain)) return null;
  const bytes = new Uint8Array(Math.floor((plain.length * 3) / 4));
  let [held, bits, at] = [0, 0, 0];
  for (const char of plain) {
    held = ((held << 6) | digits.indexOf(char)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
  }
  return bytes;
}
