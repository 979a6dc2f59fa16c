import type { Mistake } from './model.ts';

const lookUp = 'Log the hash input just before your code hashes it, and check';
const setting = "Check which setting your backend reads the key from, and make the backend fail at startup if it's empty.";
const copied = 'Compare the stored key with the one your provider gave you: its length, and its first and last three characters.';
const encoder = "Check your JSON encoder's documentation";
const file =
  "Put the key in single quotes in the .env or compose file, restart the backend, and compare the length that it reads with the key's.";
const stored = 'Store data as the text that you sign, not in a JSON column: the database rewrites it.';

/** Sentences on what to look up where the cause is not in the code, or is in code that no test here can run; those with more IDs end in a colon. */
const advice: Readonly<Record<string, string>> = {
  'key.other:':
    'Check which key the backend loads for this partner. Name its setting after the environment, and log that name at startup.',
  'key.new': 'Check in the environment which of its two keys signs now, and use that one in the backend.',
  'key.older': 'Check in the environment which of its two keys signs now, and use that one in the backend.',
  'key.trimmed': "Check the provider's message: if the key has no spaces there, set it again in Croupier without them.",
  'key.quoted':
    'Check where the key is stored too: docker --env-file and compose lists (- KEY=…) keep quotes, so store it without them.',
  'key.single-quoted':
    'Check where the key is stored too: docker --env-file and compose lists (- KEY=…) keep quotes, so store it without them.',
  'key.literal-line-feed': 'Check where the key is stored: it ends in a backslash and an n. Remove both.',
  'key.cut-at-hash': file,
  'key.cut-at-dollar': file,
  'key.variable-gone': file,
  'key.cut-at-space': file,
  'key.cut-at-equals': 'Check the code that splits lines of settings: it must split only at the first =.',
  'key.equals-escaped': "Check what writes the key into the settings: it escapes = for HTML. Don't escape secrets.",
  'key.entities': 'Check what writes the key into the settings: it may be a template that escapes HTML.',
  'key.first-lost': copied,
  'key.last-lost': copied,
  'key.prefix-cut': copied,
  'key.backslashes-gone': 'Check where the key is stored: a backslash may need to be doubled there.',
  'key.empty': setting,
  'key.is:': setting,
  'key.partner-id': 'Check which setting the code reads the key from: it reads the one with the partnerId.',
  'key.platform': 'Check which setting the code reads the key from: it reads the one with the platform.',
  'key.placeholder': "Check where the key is set: a sample's placeholder was never replaced.",
  'time.is:': `${lookUp} where the time is set: it must be set by then.`,
  'time.literal:': 'Check where the time is formatted: the pattern itself was hashed.',
  'unicode.bare-but-delete': `${encoder} for its ASCII setting (jq has -a): the rule escapes non-ASCII characters, but not U+007F.`,
  'unicode.bare-but-breaks': `${encoder} for how to escape non-ASCII characters: the rule has a lowercase escape for each.`,
  'unicode.bare-but-emoji': `${encoder} for how to escape non-ASCII characters: the rule has a lowercase escape for each.`,
  'unicode.question-marks-two': 'Check where the text becomes bytes: it must be UTF-8.',
  'unicode.replaced':
    "Check where the text comes from, such as a database or a CSV file: it isn't UTF-8 there. Convert it when you read it.",
  'html.dotnet': `${encoder} for which characters it escapes: the rule leaves <, >, &, ' and + as they are.`,
  'html.dotnet-all': `${encoder} for which characters it escapes: the rule leaves <, >, &, ' and + as they are, and its escapes are lowercase.`,
  'layout.pretty-3': `${encoder} for pretty-printing, and turn it off: the rule is one line without spaces.`,
  'layout.postgres': stored,
  'layout.as-sent':
    'Write data in the form of the signing rule, and send exactly that text. Open corrected in Requests shows it.',
  'layout.encoded-again': 'Hash exactly the text that you send: this provider hashes data as it arrives.',
  'numbers.script':
    'Check the very large and very small numbers: PHP writes 1.0e+22 and 1.0e-5. Send amounts with fewer decimals.',
  'numbers.perl': 'Check the numbers with many digits, and send amounts with fewer decimals.',
  'numbers.dotnet': 'Check the very large and very small numbers, and send amounts with fewer decimals.',
  'numbers.newtonsoft': 'Check the types of the numbers: whole numbers must be integers, because a double gets a fraction.',
  'numbers.lua': 'Check the numbers with more than 14 digits, such as round IDs: your encoder must write them in full.',
  'numbers.jq': 'Check the numbers beyond 2^53: jq reads them as floats. Write data with a program that keeps their digits.',
  'members.empty-objects-dropped': `${encoder} for the setting that leaves out empty values, and turn it off.`,
  'members.objects-kept': 'Send [] instead of {}, or leave that field out: this provider writes empty objects as arrays.',
  'order.by-length': stored,
  'order.integers-first':
    "Check the fields whose names are integers: a JavaScript object moves them to the front. Write that object's JSON by hand.",
  'wrap.nothing': 'Check what the encoder returned, and log its error if it failed. In PHP, JSON_THROW_ON_ERROR makes it throw.',
  'spelling.one-digit': 'Check where this hash was copied from: one digit is wrong.',
  'spelling.decorated': 'Send only the 64 digits.',
  'spelling.separated': 'Send the 64 digits without separators.',
};

/** Returns what to look up because of a mistake; null if code alone is its cause. */
export function adviceOn({ id }: Pick<Mistake, 'id'>): string | null {
  return advice[id] ?? advice[id.slice(0, id.indexOf(':') + 1)] ?? null;
}

/** The IDs that have advice, as they are written above. */
export const advisedIds: readonly string[] = Object.keys(advice);
