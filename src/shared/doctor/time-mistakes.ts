import type { Language, Mistake } from './model.ts';

/** A mistake with the text of `time` that it makes. */
export interface TimeForm {
  readonly mistake: Mistake;
  readonly time: string;
}

/** A moment as its calendar fields, without a zone. */
interface Fields {
  readonly epochMs: number;
  readonly y: number;
  readonly mo: number;
  readonly d: number;
  readonly h: number;
  readonly mi: number;
  readonly s: number;
}

/** Reads `20-11-2026 10:15:30` or `2026-11-20 10:15:30` (Request envelope) as calendar fields; null for any other form. */
export function readTime(text: string): { readonly epochMs: number; readonly order: 'dmy' | 'ymd' } | null {
  const dmy = /^(\d{2})-(\d{2})-(\d{4}) (\d{2}):(\d{2}):(\d{2})$/.exec(text);
  const ymd = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(text);
  const found = dmy ?? ymd;
  if (found === null) return null;
  const [one = 0, two = 0, three = 0, h = 0, mi = 0, s = 0] = found.slice(1).map(Number);
  const [y, d] = dmy === null ? [one, three] : [three, one];
  const epochMs = Date.UTC(y, two - 1, d, h, mi, s);
  const order = dmy === null ? 'ymd' : 'dmy';
  return writeTime(epochMs, order) === text ? { epochMs, order } : null;
}

/** Writes calendar fields in the order of the rule, or year first. */
function writeTime(epochMs: number, order: 'dmy' | 'ymd'): string {
  const { y, mo, d, h, mi, s } = fieldsOf(epochMs);
  const date = order === 'dmy' ? [two(d), two(mo), four(y)] : [four(y), two(mo), two(d)];
  return `${date.join('-')} ${two(h)}:${two(mi)}:${two(s)}`;
}

function fieldsOf(epochMs: number): Fields {
  const date = new Date(epochMs);
  return {
    epochMs,
    y: date.getUTCFullYear(),
    mo: date.getUTCMonth() + 1,
    d: date.getUTCDate(),
    h: date.getUTCHours(),
    mi: date.getUTCMinutes(),
    s: date.getUTCSeconds(),
  };
}

const two = (value: number) => String(value).padStart(2, '0');
const four = (value: number) => String(value).padStart(4, '0');
const twelve = (hour: number) => hour % 12 || 12;
const half = (hour: number) => (hour < 12 ? 'AM' : 'PM');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const dmy = ({ d, mo, y }: Fields, between = '-') => [two(d), two(mo), four(y)].join(between);
const ymd = ({ d, mo, y }: Fields, between = '-') => [four(y), two(mo), two(d)].join(between);
const clock = ({ h, mi, s }: Fields, between = ':') => [two(h), two(mi), two(s)].join(between);
const clock12 = ({ h, mi, s }: Fields) => [two(twelve(h)), two(mi), two(s)].join(':');
const monthName = ({ mo }: Fields) => months[mo - 1] as string;
const dayName = ({ epochMs }: Fields) => days[new Date(epochMs).getUTCDay()] as string;

/** The year that a week belongs to, as Java's `YYYY` prints it: of ISO, and of the United States, where a week begins on Sunday. */
function weekYear({ epochMs, y, mo, d }: Fields, isIso: boolean): number {
  if (isIso) {
    const date = new Date(epochMs);
    date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
    return date.getUTCFullYear();
  }
  const daysLeft = 6 - new Date(epochMs).getUTCDay();
  return mo === 12 && d + daysLeft > 31 ? y + 1 : y;
}

function dayOfYear({ epochMs, y }: Fields): number {
  return Math.floor((epochMs - Date.UTC(y, 0, 1)) / 86_400_000) + 1;
}

type Form = readonly [
  name: string,
  rarity: Mistake['rarity'],
  languages: readonly Language[],
  words: string,
  write: (fields: Fields) => string,
];

const written: readonly Form[] = [
  ['12-hour', 1, ['php', 'java', 'csharp', 'python', 'go'], 'with a 12-hour clock', (f) => `${dmy(f)} ${clock12(f)}`],
  [
    'java-letters',
    1,
    ['java', 'csharp'],
    'with the pattern dd-mm-yyyy hh:mm:ss, which puts minutes where the month belongs',
    (f) => `${two(f.d)}-${two(f.mi)}-${four(f.y)} ${clock12(f)}`,
  ],
  [
    'java-letters-24',
    1,
    ['java', 'csharp'],
    'with the pattern dd-mm-yyyy HH:mm:ss, which puts minutes where the month belongs',
    (f) => `${two(f.d)}-${two(f.mi)}-${four(f.y)} ${clock(f)}`,
  ],
  [
    'month-for-minutes',
    2,
    ['php', 'python'],
    'with the month where the minutes belong',
    (f) => `${dmy(f)} ${two(f.h)}:${two(f.mo)}:${two(f.s)}`,
  ],
  [
    '12-hour-month-for-minutes',
    4,
    ['php'],
    'with a 12-hour clock and the month where the minutes belong',
    (f) => `${dmy(f)} ${two(twelve(f.h))}:${two(f.mo)}:${two(f.s)}`,
  ],
  ['12-hour-half', 2, ['csharp', 'node'], 'with a 12-hour clock and AM or PM', (f) => `${dmy(f)} ${clock12(f)} ${half(f.h)}`],
  [
    '12-hour-half-small',
    4,
    ['php'],
    'with a 12-hour clock and am or pm',
    (f) => `${dmy(f)} ${clock12(f)} ${half(f.h).toLowerCase()}`,
  ],
  ['iso', 2, ['node', 'java', 'python'], 'in ISO 8601, year first with a T', (f) => `${ymd(f)}T${clock(f)}`],
  ['iso-z', 2, ['node', 'java', 'go'], 'in ISO 8601 with a Z', (f) => `${ymd(f)}T${clock(f)}Z`],
  [
    'iso-ms-z',
    2,
    ['node'],
    "in ISO 8601 with milliseconds, as JavaScript's toISOString writes it",
    (f) => `${ymd(f)}T${clock(f)}.000Z`,
  ],
  ['iso-ms-z-quoted', 3, ['node'], 'as JSON.stringify writes a Date, with its quotes', (f) => `"${ymd(f)}T${clock(f)}.000Z"`],
  ['iso-offset', 2, ['php', 'python', 'go'], 'in ISO 8601 with the offset +00:00', (f) => `${ymd(f)}T${clock(f)}+00:00`],
  ['iso-offset-plain', 3, ['php', 'java'], 'in ISO 8601 with the offset +0000', (f) => `${ymd(f)}T${clock(f)}+0000`],
  ['iso-space-offset', 3, ['python'], 'year first with the offset +00:00', (f) => `${ymd(f)} ${clock(f)}+00:00`],
  ['iso-micro', 4, ['python'], 'year first with microseconds', (f) => `${ymd(f)} ${clock(f)}.000000`],
  ['iso-ms', 4, [], 'year first with milliseconds', (f) => `${ymd(f)} ${clock(f)}.000`],
  ['dmy-ms', 4, [], 'with milliseconds', (f) => `${dmy(f)} ${clock(f)}.000`],
  ['dmy-t', 4, [], 'with a T between date and time', (f) => `${dmy(f)}T${clock(f)}`],
  ['dmy-z', 4, [], 'with a Z after it', (f) => `${dmy(f)} ${clock(f)}Z`],
  ['utc-behind', 3, ['ruby', 'go'], 'with UTC after it', (f) => `${dmy(f)} ${clock(f)} UTC`],
  ['ymd-utc-behind', 3, ['ruby'], 'year first, with UTC after it', (f) => `${ymd(f)} ${clock(f)} UTC`],
  ['ymd-offset-behind', 3, ['ruby', 'go'], 'year first, with +0000 after it', (f) => `${ymd(f)} ${clock(f)} +0000`],
  ['go-string', 4, ['go'], 'as Go prints a time', (f) => `${ymd(f)} ${clock(f)} +0000 UTC`],
  ['dmy-offset-behind', 4, [], 'with +0000 after it', (f) => `${dmy(f)} ${clock(f)} +0000`],
  ['slashes', 2, [], 'with slashes in the date', (f) => `${dmy(f, '/')} ${clock(f)}`],
  ['dots', 2, [], 'with dots in the date', (f) => `${dmy(f, '.')} ${clock(f)}`],
  ['ymd-slashes', 3, [], 'year first with slashes', (f) => `${ymd(f, '/')} ${clock(f)}`],
  ['ymd-dots', 4, [], 'year first with dots', (f) => `${ymd(f, '.')} ${clock(f)}`],
  [
    'month-first',
    2,
    ['csharp', 'go'],
    'with the month before the day',
    (f) => `${two(f.mo)}-${two(f.d)}-${four(f.y)} ${clock(f)}`,
  ],
  [
    'month-first-slashes',
    3,
    ['csharp'],
    'with the month before the day, and slashes',
    (f) => `${two(f.mo)}/${two(f.d)}/${four(f.y)} ${clock(f)}`,
  ],
  [
    'year-day-month',
    4,
    [],
    'year first, with the day before the month',
    (f) => `${four(f.y)}-${two(f.d)}-${two(f.mo)} ${clock(f)}`,
  ],
  ['two-digit-year', 2, ['php'], 'with a two-digit year', (f) => `${two(f.d)}-${two(f.mo)}-${two(f.y % 100)} ${clock(f)}`],
  [
    'ymd-two-digit-year',
    4,
    ['php'],
    'with a two-digit year first',
    (f) => `${two(f.y % 100)}-${two(f.mo)}-${two(f.d)} ${clock(f)}`,
  ],
  ['no-zeros', 2, ['node', 'php'], 'without leading zeros', (f) => `${f.d}-${f.mo}-${f.y} ${f.h}:${f.mi}:${f.s}`],
  ['no-zeros-date', 3, ['node', 'php'], 'without leading zeros in the date', (f) => `${f.d}-${f.mo}-${f.y} ${clock(f)}`],
  ['no-zeros-day', 4, ['php'], 'without the leading zero of the day', (f) => `${f.d}-${two(f.mo)}-${f.y} ${clock(f)}`],
  ['no-zeros-hour', 3, ['php'], 'without the leading zero of the hour', (f) => `${dmy(f)} ${f.h}:${two(f.mi)}:${two(f.s)}`],
  ['no-zeros-clock', 4, ['node'], 'without leading zeros in the time of day', (f) => `${dmy(f)} ${f.h}:${f.mi}:${f.s}`],
  ['month-low', 2, ['node'], 'with a month that is one too low', (f) => `${two(f.d)}-${two(f.mo - 1)}-${four(f.y)} ${clock(f)}`],
  [
    'month-low-no-zeros',
    3,
    ['node'],
    'with a month that is one too low, and without leading zeros',
    (f) => `${f.d}-${f.mo - 1}-${f.y} ${f.h}:${f.mi}:${f.s}`,
  ],
  [
    'weekday-for-day',
    3,
    ['node'],
    'with the day of the week instead of the day',
    (f) => `${two(new Date(f.epochMs).getUTCDay())}-${two(f.mo)}-${four(f.y)} ${clock(f)}`,
  ],
  ['year-from-1900', 4, ['node'], 'with years counted from 1900', (f) => `${two(f.d)}-${two(f.mo)}-${f.y - 1900} ${clock(f)}`],
  [
    'week-year',
    2,
    ['java'],
    'with the week-based year (YYYY instead of yyyy)',
    (f) => `${two(f.d)}-${two(f.mo)}-${four(weekYear(f, true))} ${clock(f)}`,
  ],
  [
    'week-year-us',
    2,
    ['java'],
    'with the US week-based year (YYYY instead of yyyy)',
    (f) => `${two(f.d)}-${two(f.mo)}-${four(weekYear(f, false))} ${clock(f)}`,
  ],
  [
    'day-of-year',
    3,
    ['java'],
    'with the day of the year (DD instead of dd)',
    (f) => `${two(dayOfYear(f))}-${two(f.mo)}-${four(f.y)} ${clock(f)}`,
  ],
  ['comma', 3, ['node'], 'as a locale writes it, 20/11/2026, 10:15:30', (f) => `${dmy(f, '/')}, ${clock(f)}`],
  ['dots-comma', 3, ['node'], 'as a locale writes it, 20.11.2026, 10:15:30', (f) => `${f.d}.${f.mo}.${f.y}, ${clock(f)}`],
  ['dots-comma-zeros', 4, ['node'], 'as a locale writes it, with dots and a comma', (f) => `${dmy(f, '.')}, ${clock(f)}`],
  [
    'us-locale',
    3,
    ['node', 'csharp'],
    'in US format, 11/20/2026, 10:15:30 AM',
    (f) => `${f.mo}/${f.d}/${f.y}, ${twelve(f.h)}:${two(f.mi)}:${two(f.s)} ${half(f.h)}`,
  ],
  [
    'us-locale-plain',
    3,
    ['csharp'],
    'in US format, 11/20/2026 10:15:30 AM',
    (f) => `${f.mo}/${f.d}/${f.y} ${twelve(f.h)}:${two(f.mi)}:${two(f.s)} ${half(f.h)}`,
  ],
  [
    'month-name',
    3,
    ['php', 'java', 'go'],
    'with the name of the month',
    (f) => `${two(f.d)}-${monthName(f)}-${four(f.y)} ${clock(f)}`,
  ],
  [
    'http',
    3,
    ['node'],
    'as HTTP headers write it',
    (f) => `${dayName(f)}, ${two(f.d)} ${monthName(f)} ${four(f.y)} ${clock(f)} GMT`,
  ],
  [
    'rfc-2822',
    4,
    ['php'],
    'as email headers write it',
    (f) => `${dayName(f)}, ${two(f.d)} ${monthName(f)} ${four(f.y)} ${clock(f)} +0000`,
  ],
  [
    'js-string',
    4,
    ['node'],
    'as JavaScript prints a Date',
    (f) => `${dayName(f)} ${monthName(f)} ${two(f.d)} ${four(f.y)} ${clock(f)} GMT+0000 (Coordinated Universal Time)`,
  ],
  ['no-seconds', 3, [], 'without seconds', (f) => `${dmy(f)} ${two(f.h)}:${two(f.mi)}`],
  ['zero-seconds', 4, [], 'with 00 for the seconds', (f) => `${dmy(f)} ${two(f.h)}:${two(f.mi)}:00`],
  ['date-only', 3, [], 'without the time of day', (f) => dmy(f)],
  ['ymd-date-only', 4, [], 'as a date, year first', (f) => ymd(f)],
  ['clock-only', 4, [], 'without the date', (f) => clock(f)],
  ['clock-first', 4, [], 'with the time of day before the date', (f) => `${clock(f)} ${dmy(f)}`],
  ['dashes', 4, [], 'with - in the time of day', (f) => `${dmy(f)} ${clock(f, '-')}`],
  ['digits', 3, [], 'as digits only', (f) => `${dmy(f, '')}${clock(f, '')}`],
  ['ymd-digits', 3, [], 'as digits only, year first', (f) => `${ymd(f, '')}${clock(f, '')}`],
  ['no-space', 4, [], 'without the space', (f) => `${dmy(f)}${clock(f)}`],
  ['two-spaces', 4, [], 'with two spaces', (f) => `${dmy(f)}  ${clock(f)}`],
  ['underscore', 4, [], 'with _ between date and time', (f) => `${dmy(f)}_${clock(f)}`],
  ['epoch-s', 1, ['php', 'python', 'go'], 'as seconds since 1970', (f) => String(f.epochMs / 1_000)],
  ['epoch-ms', 1, ['node', 'java'], 'as milliseconds since 1970', (f) => String(f.epochMs)],
  ['epoch-float', 4, ['python'], 'as seconds since 1970 with a fraction', (f) => `${f.epochMs / 1_000}.0`],
];

const literal = [
  'dd-mm-yyyy hh:mm:ss',
  'dd-MM-yyyy HH:mm:ss',
  'd-m-Y H:i:s',
  'DD-MM-YYYY HH:mm:ss',
  '%d-%m-%Y %H:%M:%S',
  '02-01-2006 15:04:05',
];

/** Returns the texts that mistakes make of a time, itself not among them; of several that make one text, the first. */
export function timeForms(time: string): TimeForm[] {
  const seen = new Set([time]);
  return allTimeForms(time).filter(({ time: text }) => !seen.has(text) && seen.add(text));
}

/** Returns what each mistake makes of a time. */
export function allTimeForms(time: string): TimeForm[] {
  const made: TimeForm[] = [];
  const add = (name: string, rarity: Mistake['rarity'], languages: readonly Language[], says: string, text: string) => {
    made.push({ mistake: { id: `time.${name}`, axis: 'time', rarity, languages, says, who: '' }, time: text });
  };
  const read = readTime(time);
  if (read !== null) {
    const other = read.order === 'dmy' ? 'ymd' : 'dmy';
    const order = other === 'ymd' ? 'with the year first' : 'with the day first';
    add('order', 1, [], `Your backend hashes the time ${order}.`, writeTime(read.epochMs, other));
    for (const [name, rarity, languages, words, write] of written)
      add(name, rarity, languages, `Your backend hashes the time ${words}.`, write(fieldsOf(read.epochMs)));
  }
  add(
    'quoted',
    4,
    ['node'],
    'Your backend hashes the time with quotes around it: it went through the JSON encoder.',
    JSON.stringify(time),
  );
  add('plus', 4, ['php'], 'Your backend hashes the time form-encoded.', time.replaceAll(' ', '+').replaceAll(':', '%3A'));
  add('url-encoded', 4, ['node'], 'Your backend hashes the time URL-encoded.', encodeURIComponent(time));
  add('space-escaped', 5, [], 'Your backend hashes the time with %20 for its space.', time.replaceAll(' ', '%20'));
  add('line-feed', 3, [], 'Your backend hashes a line break after the time.', `${time}\n`);
  add('space-behind', 4, [], 'Your backend hashes a space after the time.', `${time} `);
  add('space-before', 4, [], 'Your backend hashes a space before the time.', ` ${time}`);
  for (const text of literal) add(`literal:${text}`, 4, [], `Your backend hashes the pattern ${text} instead of a time.`, text);
  for (const text of ['', 'null', 'undefined', 'None'])
    add(
      `is:${text}`,
      3,
      [],
      text === '' ? 'Your backend leaves time out of the hash.' : `Your backend hashes the word ${text} instead of the time.`,
      text,
    );
  return made;
}

/** Offsets of the zones of the world from each other, in minutes: those that clocks are wrong by. */
const offsets = [
  60, 120, 180, 240, 300, 330, 345, 360, 390, 420, 480, 525, 540, 570, 600, 630, 660, 720, 765, 780, 840, 210, 270, 150,
];

/** Yields the time moved by whole zones, likeliest first. */
export function* zones(time: string): Generator<TimeForm> {
  const read = readTime(time);
  if (read === null) return;
  for (const minutes of offsets) {
    for (const sign of [1, -1]) {
      const shift = `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
      const says = `Your backend hashes a time ${shift} ${sign > 0 ? 'ahead of' : 'behind'} the one in the request: another time zone.`;
      yield {
        mistake: {
          id: `clock.zone:${sign * minutes}`,
          axis: 'clock',
          rarity: minutes <= 180 ? 1 : 3,
          languages: [],
          says,
          who: '',
        },
        time: writeTime(read.epochMs + sign * minutes * 60_000, read.order),
      };
    }
  }
}

/** Yields the time moved by up to `most` seconds, nearest first. */
export function* seconds(time: string, most: number): Generator<TimeForm> {
  const read = readTime(time);
  if (read === null) return;
  for (let by = 1; by <= most; by++) {
    for (const sign of [1, -1]) {
      const says = `Your backend hashes a time ${by} ${by === 1 ? 'second' : 'seconds'} ${sign > 0 ? 'after' : 'before'} the one in the request: it read the clock twice.`;
      yield {
        mistake: { id: `clock.seconds:${sign * by}`, axis: 'clock', rarity: by <= 2 ? 1 : 4, languages: [], says, who: '' },
        time: writeTime(read.epochMs + sign * by * 1_000, read.order),
      };
    }
  }
}
