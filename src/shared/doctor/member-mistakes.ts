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
      'Your backend sorts the members of data by name.',
      'Go does this for a map, Python with sort_keys, PHP with ksort, and nlohmann and serde for their own values.',
    ],
    { change: (value) => mapMembers(value, (all) => all.toSorted((a, b) => byBytes(a.name, b.name))) },
  ),
  order(
    'sorted-outside',
    3,
    ['php', 'node'],
    ['Your backend sorts the outermost members of data by name, but not those inside.', "PHP's ksort sorts one level only."],
    { change: outermost((all) => all.toSorted((a, b) => byBytes(a.name, b.name))), unless: ['order.sorted'] },
  ),
  order(
    'by-length',
    2,
    [],
    [
      'Your backend takes data from a database that orders members by the length of their names.',
      "MySQL's JSON type and PostgreSQL's jsonb do not keep the order of members.",
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
    [
      'Your backend writes data from a HashMap, which has an order of its own.',
      "Java's HashMap. A LinkedHashMap keeps the order.",
    ],
    { change: (value) => mapMembers(value, inHashMapOrder) },
  ),
  order('reversed', 5, [], ['Your backend writes the members of data in the reverse order.'], {
    change: (value) => mapMembers(value, (all) => all.toReversed()),
  }),
  order(
    'integers-first',
    5,
    ['node'],
    ['Your backend moves members whose names are whole numbers to the front.', "JavaScript's objects do this."],
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
      'Your backend drops members whose value is 0, "0", an empty text, false, null or an empty list.',
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
    ['Your backend drops members whose value is 0, an empty text, false or null.', 'if (value) in JavaScript does this.'],
    { change: outermost((all) => all.filter(({ value }) => !isFalsy(value))), unless: ['members.falsy-dropped'] },
  ),
  members(
    'omitempty',
    2,
    ['go'],
    ['Your backend drops members whose value is 0, an empty text, false, null or an empty list.', "Go's omitempty does this."],
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
      'Your backend drops members whose value is an empty text, null, or an empty object or list.',
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
    ['Your backend drops members whose value is an empty text.', "Go's omitempty on text fields does this."],
    { change: dropped(({ value }) => value.kind === 'string' && value.text === '') },
  ),
  members(
    'zero-dropped',
    3,
    ['go', 'csharp', 'java'],
    [
      'Your backend drops members whose value is 0.',
      "Go's omitempty on number fields, protobuf, and defaults that are left out (Kotlin, .NET's WhenWritingDefault) do this.",
    ],
    { change: dropped(({ value }) => value.kind === 'number' && Number(value.text) === 0) },
  ),
  members(
    'null-dropped',
    2,
    ['java', 'go', 'csharp'],
    ['Your backend drops members whose value is null.', 'Gson and kotlinx do this by themselves, others by a setting.'],
    { change: dropped(({ value }) => value.kind === 'word' && value.text === 'null') },
  ),
  members(
    'empty-objects-dropped',
    5,
    ['java', 'csharp'],
    ['Your backend drops members whose value is an empty object or list.'],
    { change: dropped(({ value }) => isEmptyContainer(value)) },
  ),
  members(
    'object-to-list',
    2,
    ['php'],
    ['Your backend turns an empty object into an empty list.', 'PHP does this where objects are decoded to associative arrays.'],
    { change: (value) => mapValues(value, (one) => (isEmpty(one, 'object') ? { kind: 'array', items: [] } : one)) },
  ),
  members(
    'list-to-object',
    3,
    ['php'],
    ['Your backend turns an empty list into an empty object.', "PHP's JSON_FORCE_OBJECT and lua-cjson do this."],
    { change: (value) => mapValues(value, (one) => (isEmpty(one, 'array') ? { kind: 'object', members: [] } : one)) },
  ),
  members(
    'lists-to-objects',
    5,
    ['php'],
    ['Your backend writes lists as objects with the names 0, 1, 2.', 'PHP does this with JSON_FORCE_OBJECT.'],
    {
      change: (value) =>
        mapValues(value, (one) => (one.kind === 'array' ? { kind: 'object', members: indexed(one.items, (at) => at) } : one)),
    },
  ),
  members('list-of-one', 5, ['csharp', 'php'], ['Your backend writes a list of one value as that value alone.'], {
    change: (value) =>
      mapValues(value, (one) => (one.kind === 'array' && one.items.length === 1 ? (one.items[0] as Value) : one)),
  }),
  members('empty-to-null', 5, ['go'], ['Your backend writes null for an empty list.', 'Go does this for a nil slice.'], {
    change: (value) => mapValues(value, (one) => (isEmpty(one, 'array') ? nullWord : one)),
  }),
  members(
    'empty-text-to-null',
    4,
    ['php', 'java'],
    ['Your backend writes null for an empty text.', "Laravel's middleware ConvertEmptyStringsToNull does this."],
    {
      change: (value) => mapValues(value, (one) => (one.kind === 'string' && one.text === '' ? nullWord : one)),
    },
  ),
  members('null-to-empty-text', 4, ['php'], ['Your backend writes an empty text for null.'], {
    change: (value) =>
      mapValues(value, (one) => (one.kind === 'word' && one.text === 'null' ? { kind: 'string', text: '' } : one)),
  }),
  members(
    'trimmed',
    4,
    ['php'],
    ['Your backend cuts white space from the ends of texts.', "Laravel's middleware TrimStrings does this."],
    {
      change: (value) => mapValues(value, (one) => (one.kind === 'string' ? { kind: 'string', text: one.text.trim() } : one)),
    },
  ),
  members(
    'pascal-case',
    4,
    ['csharp'],
    [
      'Your backend writes the names of members with a capital first letter.',
      '.NET does this for properties without a naming policy.',
    ],
    { change: renamed((name) => name.charAt(0).toUpperCase() + name.slice(1)) },
  ),
  members('snake-case', 4, ['python', 'ruby', 'java'], ['Your backend writes the names of members in snake_case.'], {
    change: renamed((name) =>
      name.replace(/(?<=[a-z\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`).toLowerCase(),
    ),
  }),
  members('lower-case', 5, [], ['Your backend writes the names of members in lower case.'], {
    change: renamed((name) => name.toLowerCase()),
  }),
  members(
    'camel-case',
    4,
    ['csharp', 'java'],
    ['Your backend writes the names of members with a small first letter.', "System.Text.Json's web defaults do this."],
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
          `Your backend writes the list ${name} as an object, because its index ${gap} is missing.`,
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
    members(`without:${name}`, 4, [], [`The hash was made without the member ${name} of data.`], {
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
