/** Writes attributes with a space before each. */
export function attributesOf(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');
}

/** Matches characters that XML 1.0 cannot hold in any spelling: most controls, lone surrogates, U+FFFE and U+FFFF. */
const impossible = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** Escapes text for XML; a character that XML forbids is written as `\u0000`, for a reader to see. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\r]/g, (character) => entities[character] as string)
    .replace(impossible, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
