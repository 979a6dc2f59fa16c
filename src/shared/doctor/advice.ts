import type { Mistake } from './model.ts';

const lookUp = 'Print what your code hashes just before it hashes it, and look';
const setting =
  'Look up the name under which your backend reads the key, and print at its start whether it is set. Let it stop there if it is not.';
const copied =
  'Compare the first and the last three characters of the stored key with those that the provider gave you, and its length.';
const encoder = 'Look in the documentation of your JSON encoder';
const file =
  'Put the key in single quotes in the .env or compose file, start the backend again, and compare the length of what it reads with the length of the key.';
const stored = 'Keep data as the text that you sign, not in a JSON column: the database writes its own form of it.';

/** Sentences on what to look up where the cause is not in the code, or is in code that no test here can run; those with more IDs end in a colon. */
const advice: Readonly<Record<string, string>> = {
  'key.other:':
    'Look up which key the backend loads for this partner: name its setting after the environment, and log that name at the start.',
  'key.new': 'Look up in the environment which of its two keys signs now, and give that one to the backend.',
  'key.older': 'Look up in the environment which of its two keys signs now, and give that one to the backend.',
  'key.trimmed': "Look at the provider's message: if the key has no spaces there, set it again in Croupier without them.",
  'key.quoted': 'Look where the key is stored, too: docker --env-file and YAML keep quotes, so store it without them.',
  'key.single-quoted': 'Look where the key is stored, too: docker --env-file and YAML keep quotes, so store it without them.',
  'key.literal-line-feed': 'Look where the key is stored: it ends in a backslash and an n. Take both away.',
  'key.cut-at-hash': file,
  'key.cut-at-dollar': file,
  'key.variable-gone': file,
  'key.cut-at-space': file,
  'key.cut-at-equals': 'Look at the code that splits lines of settings: it has to split at the first = only.',
  'key.equals-escaped': 'Look at what writes the key into the settings: it escapes = for HTML. Write secrets without escaping.',
  'key.entities': 'Look at what writes the key into the settings: it may be a template that escapes for HTML.',
  'key.first-lost': copied,
  'key.last-lost': copied,
  'key.prefix-cut': copied,
  'key.backslashes-gone': 'Look where the key is stored: there a backslash may have to be written twice.',
  'key.empty': setting,
  'key.is:': setting,
  'key.partner-id': 'Look up which setting the code takes for the key: it is the one with the partnerId.',
  'key.platform': 'Look up which setting the code takes for the key: it is the one with the platform.',
  'key.placeholder': 'Look up where the key is set: the placeholder of a sample was never replaced.',
  'time.is:': `${lookUp} where the time is set: it has to be set before the hash is made.`,
  'time.literal:': 'Look where the time is formatted: the pattern was given in place of the time.',
  'unicode.bare-but-delete': `${encoder} for its ASCII setting (jq has -a): the rule escapes characters beyond ASCII, but not U+007F.`,
  'unicode.bare-but-breaks': `${encoder} for how it writes characters beyond ASCII: the rule has lowercase escapes for all of them.`,
  'unicode.bare-but-emoji': `${encoder} for how it writes characters beyond ASCII: the rule has lowercase escapes for all of them.`,
  'unicode.question-marks-two': 'Look where the text becomes bytes: it has to be UTF-8.',
  'unicode.replaced':
    'Look where the texts come from, such as a database or a CSV file: they are not UTF-8 there. Convert them when you read them.',
  'html.dotnet': `${encoder} for the characters that it escapes: the rule leaves <, >, &, ' and + as they are.`,
  'html.dotnet-all': `${encoder} for the characters that it escapes: the rule leaves all of ASCII as it is, and its escapes are in lower case.`,
  'layout.pretty-3': `${encoder} for its pretty printing, and turn it off: the rule is one line without spaces.`,
  'layout.postgres': stored,
  'layout.as-sent': 'Write data in the form of the rule, and send that very text: Open corrected in Requests shows it.',
  'layout.encoded-again': 'Hash the very text that you send: this provider hashes what it receives, and does not write it again.',
  'numbers.script':
    'Look at the very large and the very small numbers: PHP writes 1.0e+22 and 1.0e-5. Send amounts with fewer decimals.',
  'numbers.perl': 'Look at the numbers with many digits: send amounts with fewer decimals.',
  'numbers.dotnet': 'Look at the very large and the very small numbers: send amounts with fewer decimals.',
  'numbers.newtonsoft':
    'Look at the types of the numbers: whole ones have to be integers, since a double is written with its fraction.',
  'numbers.lua': 'Look at the numbers with more than 14 digits: send round IDs as your encoder writes them in full.',
  'numbers.jq': 'Look at the numbers beyond 2^53: jq reads them as floats. Make data in a program that keeps their digits.',
  'members.empty-objects-dropped': `${encoder} for the setting that leaves out empty values, and turn it off.`,
  'members.objects-kept': 'Send [] where data has {}, or leave that member out: this provider writes empty objects as lists.',
  'order.by-length': stored,
  'order.integers-first':
    'Look at the members whose names are whole numbers: an object of JavaScript moves them to the front. Write that object by hand.',
  'wrap.nothing': 'Look at what the encoder returned: if it failed, log its error. In PHP, JSON_THROW_ON_ERROR makes it throw.',
  'spelling.one-digit': 'Look at where this hash was copied from: one digit of it is another.',
  'spelling.decorated': 'Send the 64 digits alone.',
  'spelling.separated': 'Send the 64 digits without marks between them.',
};

/** Returns what to look up because of a mistake; null if code alone is its cause. */
export function adviceOn({ id }: Pick<Mistake, 'id'>): string | null {
  return advice[id] ?? advice[id.slice(0, id.indexOf(':') + 1)] ?? null;
}

/** The IDs that have advice, as they are written above. */
export const advisedIds: readonly string[] = Object.keys(advice);
