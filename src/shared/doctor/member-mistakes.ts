import { mistakesOf, type DataMistake } from './data-mistake.ts';
import { mapMembers, mapValues, membersWithOwnMistakes, nullWord, type Member, type Value } from './value.ts';

const order = mistakesOf('order');
const members = mistakesOf('members');

/** Members in another order. */
const orders: readonly DataMistake[] = [
  order(
    'sorted',
    2,
    ['go', 'python', 'php', 'csharp'],
    [
      'Your backend sorts the fields of data by name.',
      'Go does this for maps, Python with sort_keys, PHP with ksort, nlohmann and serde for their own values.',
    ],
    { change: (value) => mapMembers(value, (all) => all.toSorted((a, b) => byBytes(a.name, b.name))) },
  ),
  order(
    'sorted-outside',
    3,
    ['php', 'node'],
    ['Your backend sorts only the top-level fields of data by name.', "PHP's ksort sorts only one level."],
    { change: outermost((all) => all.toSorted((a, b) => byBytes(a.name, b.name))), unless: ['order.sorted'] },
  ),
  order(
    'by-length',
    2,
    [],
    [
      'Your backend reads data from a database that orders fields by the length of their names.',
      "MySQL's JSON type and PostgreSQL's jsonb don't keep the order of fields.",
    ],
    {
      change: (value) =>
        mapMembers(value, (all) => all.toSorted((a, b) => a.name.length - b.name.length || byBytes(a.name, b.name))),
    },
  ),
  order(
    'hash-map',
    2,
    ['java'],
    ['Your backend writes data from a HashMap, which has its own order.', "Java's LinkedHashMap keeps the order."],
    { change: (value) => mapMembers(value, inHashMapOrder) },
  ),
  order('reversed', 5, [], ['Your backend writes the fields of data in reverse order.'], {
    change: (value) => mapMembers(value, (all) => all.toReversed()),
  }),
  order(
    'integers-first',
    5,
    ['node'],
    ['Your backend moves fields whose names are integers to the front.', "JavaScript's objects do this."],
    {
      change: (value) =>
        mapMembers(value, (all) => {
          const isIndex = ({ name }: Member) => /^(0|[1-9]\d{0,9})$/.test(name);
          return [
            ...all.filter(isIndex).toSorted((a, b) => Number(a.name) - Number(b.name)),
            ...all.filter((one) => !isIndex(one)),
          ];
        }),
    },
  ),
];

/** Members that are left out, or renamed, and values that change their kind. */
const left: readonly DataMistake[] = [
  members(
    'falsy-dropped',
    2,
    ['php'],
    [
      'Your backend drops fields whose value is 0, "0", an empty string, false, null, or an empty object or array.',
      "PHP's array_filter without a callback does this.",
    ],
    {
      change: outermost((all) => all.filter(({ value }) => !isFalsy(value) && !(isText(value, '0') || isEmptyContainer(value)))),
    },
  ),
  members(
    'falsy-dropped-script',
    2,
    ['node', 'python'],
    ['Your backend drops fields whose value is 0, an empty string, false or null.', "JavaScript's if (value) does this."],
    { change: outermost((all) => all.filter(({ value }) => !isFalsy(value))), unless: ['members.falsy-dropped'] },
  ),
  members(
    'omitempty',
    2,
    ['go'],
    ['Your backend drops fields whose value is 0, an empty string, false, null or an empty array.', "Go's omitempty does this."],
    {
      change: dropped(({ value }) => isFalsy(value) || isEmpty(value, 'array')),
      unless: ['members.falsy-dropped', 'members.falsy-dropped-script'],
    },
  ),
  members(
    'empties-dropped',
    3,
    ['java'],
    [
      'Your backend drops fields whose value is an empty string, null, or an empty object or array.',
      "Jackson's NON_EMPTY does this.",
    ],
    {
      change: dropped(
        ({ value }) => isText(value, '') || isEmptyContainer(value) || (value.kind === 'word' && value.text === 'null'),
      ),
      unless: ['members.empty-text-dropped', 'members.null-dropped', 'members.empty-objects-dropped'],
    },
  ),
  members(
    'empty-text-dropped',
    3,
    ['node', 'java', 'go'],
    ['Your backend drops fields whose value is an empty string.', "Go's omitempty on string fields does this."],
    { change: dropped(({ value }) => value.kind === 'string' && value.text === '') },
  ),
  members(
    'zero-dropped',
    3,
    ['go', 'csharp', 'java'],
    [
      'Your backend drops fields whose value is 0.',
      "Go's omitempty on number fields, protobuf, Kotlin's default values and .NET's WhenWritingDefault do this.",
    ],
    { change: dropped(({ value }) => value.kind === 'number' && Number(value.text) === 0) },
  ),
  members(
    'null-dropped',
    2,
    ['java', 'go', 'csharp'],
    ['Your backend drops fields whose value is null.', 'Gson and kotlinx do this by default, others with a setting.'],
    { change: dropped(({ value }) => value.kind === 'word' && value.text === 'null') },
  ),
  members(
    'empty-objects-dropped',
    5,
    ['java', 'csharp'],
    ['Your backend drops fields whose value is an empty object or array.'],
    { change: dropped(({ value }) => isEmptyContainer(value)) },
  ),
  members(
    'object-to-list',
    2,
    ['php'],
    ['Your backend turns an empty object into an empty array.', 'PHP does this when it decodes objects to associative arrays.'],
    { change: (value) => mapValues(value, (one) => (isEmpty(one, 'object') ? { kind: 'array', items: [] } : one)) },
  ),
  members(
    'list-to-object',
    3,
    ['php'],
    ['Your backend turns an empty array into an empty object.', "PHP's JSON_FORCE_OBJECT and lua-cjson do this."],
    { change: (value) => mapValues(value, (one) => (isEmpty(one, 'array') ? { kind: 'object', members: [] } : one)) },
  ),
  members(
    'lists-to-objects',
    5,
    ['php'],
    ['Your backend writes arrays as objects with the names 0, 1, 2.', 'PHP does this with JSON_FORCE_OBJECT.'],
    {
      change: (value) =>
        mapValues(value, (one) => (one.kind === 'array' ? { kind: 'object', members: indexed(one.items, (at) => at) } : one)),
    },
  ),
  members('list-of-one', 5, ['csharp', 'php'], ['Your backend writes an array of one value as just that value.'], {
    change: (value) =>
      mapValues(value, (one) => (one.kind === 'array' && one.items.length === 1 ? (one.items[0] as Value) : one)),
  }),
  members('empty-to-null', 5, ['go'], ['Your backend writes null for an empty array.', 'Go does this for a nil slice.'], {
    change: (value) => mapValues(value, (one) => (isEmpty(one, 'array') ? nullWord : one)),
  }),
  members(
    'empty-text-to-null',
    4,
    ['php', 'java'],
    ['Your backend writes null for an empty string.', "Laravel's ConvertEmptyStringsToNull middleware does this."],
    {
      change: (value) => mapValues(value, (one) => (one.kind === 'string' && one.text === '' ? nullWord : one)),
    },
  ),
  members('null-to-empty-text', 4, ['php'], ['Your backend writes an empty string for null.'], {
    change: (value) =>
      mapValues(value, (one) => (one.kind === 'word' && one.text === 'null' ? { kind: 'string', text: '' } : one)),
  }),
  members('trimmed', 4, ['php'], ['Your backend trims strings.', "Laravel's TrimStrings middleware does this."], {
    change: (value) => mapValues(value, (one) => (one.kind === 'string' ? { kind: 'string', text: one.text.trim() } : one)),
  }),
  members(
    'pascal-case',
    4,
    ['csharp'],
    ['Your backend writes field names with a capital first letter.', '.NET does this for properties without a naming policy.'],
    { change: renamed((name) => name.charAt(0).toUpperCase() + name.slice(1)) },
  ),
  members('snake-case', 4, ['python', 'ruby', 'java'], ['Your backend writes field names in snake_case.'], {
    change: renamed((name) =>
      name.replace(/(?<=[a-z\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`).toLowerCase(),
    ),
  }),
  members('lower-case', 5, [], ['Your backend writes field names in lowercase.'], {
    change: renamed((name) => name.toLowerCase()),
  }),
  members(
    'camel-case',
    4,
    ['csharp', 'java'],
    ['Your backend writes field names with a lowercase first letter.', "System.Text.Json's web defaults do this."],
    { change: renamed((name) => name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (letters) => letters.toLowerCase())) },
  ),
];

export const memberMistakes: readonly DataMistake[] = [...orders, ...left];

/** Longest list of which every place is tried as a gap. */
const longestGapped = 20;

/** Returns the mistakes that a request can have once for each member: that one is left out, or is a list with a gap. */
export function mistakesOfMembers(value: Value): DataMistake[] {
  const own = membersWithOwnMistakes(value);
  return [...withoutOne(own), ...withGaps(own)];
}

/** In PHP a list whose indices have a gap, as `unset` and `array_filter` leave them, is written as an object. */
function withGaps(all: readonly Member[]): DataMistake[] {
  return all.flatMap(({ name, value: list }) => {
    if (list.kind !== 'array' || list.items.length > longestGapped) return [];
    return list.items.map((_, gap) =>
      members(
        `gap:${name}:${gap}`,
        4,
        ['php'],
        [
          `Your backend writes the array ${name} as an object, because its index ${gap} is missing.`,
          'PHP does this after unset or array_filter; array_values closes the gap.',
        ],
        {
          change: outermost((own) =>
            own.map((one) =>
              one.name === name
                ? { name, value: { kind: 'object', members: indexed(list.items, (at) => (at < gap ? at : at + 1)) } }
                : one,
            ),
          ),
        },
      ),
    );
  });
}

function indexed(items: readonly Value[], index: (at: number) => number): Member[] {
  return items.map((value, at) => ({ name: String(index(at)), value }));
}

function withoutOne(all: readonly Member[]): DataMistake[] {
  return all.map(({ name }) =>
    members(`without:${name}`, 4, [], [`Your backend leaves the field ${name} of data out of the hash.`], {
      change: (whole) =>
        whole.kind === 'object' ? { kind: 'object', members: whole.members.filter((one) => one.name !== name) } : whole,
    }),
  );
}

function dropped(isDropped: (member: Member) => boolean): (value: Value) => Value {
  return (value) => mapMembers(value, (all) => all.filter((one) => !isDropped(one)));
}

function renamed(rename: (name: string) => string): (value: Value) => Value {
  return (value) => mapMembers(value, (all) => all.map((one) => ({ ...one, name: rename(one.name) })));
}

function isEmpty(value: Value, kind: 'array' | 'object'): boolean {
  return value.kind === kind && isEmptyContainer(value);
}

function isEmptyContainer(value: Value): boolean {
  return (value.kind === 'array' && value.items.length === 0) || (value.kind === 'object' && value.members.length === 0);
}

function isText(value: Value, text: string): boolean {
  return value.kind === 'string' && value.text === text;
}

/** Returns whether most languages take a value for false. */
function isFalsy(value: Value): boolean {
  if (value.kind === 'word') return value.text !== 'true';
  return isText(value, '') || (value.kind === 'number' && Number(value.text) === 0);
}

/** Changes the members of the outermost object. */
function outermost(change: (members: readonly Member[]) => readonly Member[]): (value: Value) => Value {
  return (value) => (value.kind === 'object' ? { kind: 'object', members: change(value.members) } : value);
}

/** Orders by UTF-8 bytes as far as names go: PHP, Go and Python do so, too. */
function byBytes(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The order in which Java's HashMap lists its entries while it has never been resized with a collision chain reversed. */
function inHashMapOrder(all: readonly Member[]): readonly Member[] {
  let size = 16;
  while (all.length > size * 0.75) size *= 2;
  const slot = (name: string) => {
    let hash = 0;
    for (let at = 0; at < name.length; at++) hash = (Math.imul(31, hash) + name.charCodeAt(at)) | 0;
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return all.toSorted((a, b) => slot(a.name) - slot(b.name));
}
