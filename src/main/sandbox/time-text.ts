/** Writes `yyyy-mm-dd hh:mm:ss` in UTC, the order of the spec's responses. */
export function printTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Reads `dd-mm-yyyy hh:mm:ss` as UTC; null for any other form and for a date that does not exist. */
export function parseTime(text: string): number | null {
  const match = /^(\d{2})-(\d{2})-(\d{4}) (\d{2}:\d{2}:\d{2})$/.exec(text);
  if (!match) return null;
  const iso = `${match[3]}-${match[2]}-${match[1]}T${match[4]}.000Z`;
  const epochMs = Date.parse(iso);
  return Number.isNaN(epochMs) || new Date(epochMs).toISOString() !== iso ? null : epochMs;
}

/** Returns the same moment written in the other order (day first or year first); null if the text is in neither. */
export function swapTimeOrder(text: string): string | null {
  const dayFirst = /^(\d{2})-(\d{2})-(\d{4}) (.+)$/.exec(text);
  if (dayFirst) return `${dayFirst[3]}-${dayFirst[2]}-${dayFirst[1]} ${dayFirst[4]}`;
  const yearFirst = /^(\d{4})-(\d{2})-(\d{2}) (.+)$/.exec(text);
  return yearFirst ? `${yearFirst[3]}-${yearFirst[2]}-${yearFirst[1]} ${yearFirst[4]}` : null;
}
