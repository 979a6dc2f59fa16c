import { amount } from '../amount.ts';

/** One thing that an import reports: its place, and the reason, which others may share. */
interface Notice {
  readonly place: string;
  readonly reason: string;
}

/** A line of what an import reports. `such` has the first places of a line that stands for many, and how many more there are. */
export interface NoticeLine {
  readonly text: string;
  readonly such: readonly string[];
}

/** Most notices of one reason that have a line each, and the number of examples of a reason that has one line. */
const examples = 3;

/** Returns the lines of notices: one for each reason that many have, with their number as `noun`. `each` writes a single one. */
export function noticeLines<One extends Notice>(
  notices: readonly One[],
  noun: string,
  each: (notice: One) => string,
): NoticeLine[] {
  return [...Map.groupBy(notices, ({ reason }) => reason)].flatMap(([reason, all]) => {
    if (all.length <= examples) return all.map((notice) => ({ text: each(notice), such: [] }));
    const such = all.slice(0, examples).map(({ place }) => place);
    return [
      {
        text: `${amount(all.length, noun)}: ${reason}`,
        such: [...such, `and ${(all.length - examples).toLocaleString('en')} more`],
      },
    ];
  });
}
