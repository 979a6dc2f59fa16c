/** Longest payload that is signed and sent, in UTF-16 units. The spec's longest field lists have 20,000 characters together. */
export const mostPayloadCharacters = 1_000_000;
/** Most values of one payload. Each costs more to read than its characters do. */
export const mostPayloadValues = 20_000;

/**
 * Says why a payload is too large to be read, signed and sent; null if it is within the limits. Reading it exactly, as PHP does, is one
 * step that blocks all other work. Counts a value at each comma and each opening bracket outside strings.
 */
export function payloadExcess(text: string): string | null {
  if (text.length > mostPayloadCharacters) {
    return `The payload has ${shown(text.length)} characters; Croupier sends at most ${shown(mostPayloadCharacters)}. Shorten it.`;
  }
  if (text.length <= mostPayloadValues || countValues(text) <= mostPayloadValues) return null;
  return `The payload has more than ${shown(mostPayloadValues)} values, counted by commas and brackets; Croupier sends at most that many. Shorten it.`;
}

/** Counts values, up to one more than the limit. */
function countValues(text: string): number {
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length && values <= mostPayloadValues; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) inString = !inString;
    else if (inString) {
      if (unit === 0x5c) at++;
    } else if (unit === 0x2c || unit === 0x5b || unit === 0x7b) values++;
  }
  return values;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
