/** A pasted request as far as it is compared with others; null for each part that was not found. */
interface PastedParts {
  readonly action: string | null;
  readonly platform: string | null;
  readonly partnerId: string | null;
  readonly time: string | null;
  readonly dataText: string | null;
  readonly hash: string | null;
  /** Code of a response beside it. */
  readonly code: number | null;
}

/** Returns the positions of the other readings of a request: they have its hash and time, and other data. */
export function otherReadings(requests: readonly PastedParts[], at: number): number[] {
  const chosen = requests[at];
  if (chosen === undefined || chosen.hash === null) return [];
  return [...requests.keys()].filter((other) => {
    const request = requests[other];
    return other !== at && request?.hash === chosen.hash && request.time === chosen.time && request.dataText !== chosen.dataText;
  });
}

/** Returns the position of the request to begin with: the first one whose hash was rejected, else the likeliest. */
export function firstChoice(requests: readonly PastedParts[]): number {
  const rejected = requests.findIndex(({ code, hash, time }) => code === 8 && hash !== null && time !== null);
  return rejected === -1 ? 0 : rejected;
}

const compared = [
  ['action', 'action'],
  ['platform', 'platform'],
  ['partnerId', 'partnerId'],
  ['time', 'time'],
  ['data', 'dataText'],
  ['hash', 'hash'],
] as const;

/** Says which parts two requests share and in which they differ. */
export function differenceWords(one: PastedParts, other: PastedParts): string {
  const known = compared.filter(([, field]) => one[field] !== null || other[field] !== null);
  const names = (equal: boolean) => known.filter(([, field]) => (one[field] === other[field]) === equal).map(([name]) => name);
  const [same, different] = [names(true), names(false)];
  const end =
    different.join() === 'hash'
      ? ' Time and data are the same bytes, so the key, the order of the parts or the hash function differs.'
      : '';
  return [
    different.length === 0 ? 'They are equal.' : `Different: ${different.join(', ')}.`,
    same.length === 0 || different.length === 0 ? '' : ` Equal: ${same.join(', ')}.`,
    end,
  ].join('');
}
