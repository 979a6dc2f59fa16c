import type { Overrides } from '#shared/model/draft.ts';

/** One deliberate fault for the request line. */
export interface OverrideChip {
  readonly id: string;
  readonly label: string;
  /** The overrides without this fault. */
  readonly without: Overrides;
}

/** Returns a chip for each active override, so that none is forgotten. */
export function overrideChips(overrides: Overrides): OverrideChip[] {
  const chips: OverrideChip[] = [];
  const { hash, time, platform, partnerId, omit = [] } = overrides;
  const drop = (name: keyof Overrides): Overrides => {
    const rest = { ...overrides };
    delete rest[name];
    return rest;
  };
  if (hash !== undefined) {
    chips.push({
      id: 'hash',
      label: hash === 'wrong' ? 'Hash wrong on purpose' : `Hash set to ${shorten(hash)}`,
      without: drop('hash'),
    });
  }
  if (time !== undefined) chips.push({ id: 'time', label: `Time set to ${shorten(time)}`, without: drop('time') });
  if (platform !== undefined)
    chips.push({ id: 'platform', label: `platform set to ${shorten(platform)}`, without: drop('platform') });
  if (partnerId !== undefined)
    chips.push({ id: 'partnerId', label: `partnerId set to ${shorten(partnerId)}`, without: drop('partnerId') });
  for (const name of omit) {
    const left = omit.filter((other) => other !== name);
    chips.push({
      id: `omit-${name}`,
      label: `${name} left out`,
      without: left.length === 0 ? drop('omit') : { ...overrides, omit: left },
    });
  }
  return chips;
}

function shorten(text: string): string {
  if (text === '') return 'nothing';
  return text.length <= 24 ? text : `${text.slice(0, 23)}…`;
}
