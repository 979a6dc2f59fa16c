import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { firstChoice, otherReadings } from '#shared/doctor/readings.ts';
import { notHere, seenIn } from '#shared/doctor/seen.ts';
import { isPastSingles, probablyKey } from '#shared/doctor/words.ts';
import { createKeyDoctor, type KeyDoctor } from '../app/key-doctor.ts';

/** A line that a program in `src/main/core/formats/pasted/fixtures/logged-lines` wrote. */
interface LoggedLine {
  readonly name: string;
  /** Mistakes of its program, in a few words. */
  readonly mistakes: string;
  readonly text: string;
}

const lines = readFileSync(new URL('../formats/pasted/fixtures/logged-lines.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LoggedLine);

/** The sentence that comes first, by the line. */
const first: Readonly<Record<string, string>> = {
  'PHP: print_r': 'Your backend escapes the slashes.',
  'PHP: var_dump':
    'Your backend escapes the slashes. Your backend leaves non-ASCII characters unescaped, except U+2028 and U+2029.',
  'PHP: var_export': 'The hash has 32 digits, the length of MD5; SHA-256 has 64.',
  'PHP: error_log of the body': 'Your backend pretty-prints data with 4 spaces.',
  'PHP: Monolog, array context': 'Your backend makes an HMAC with the key instead of a plain SHA-256.',
  'PHP: Monolog, text context': 'The hash is uppercase; it should be lowercase.',
  'PHP: Laravel line': 'Your backend hashes the time with a 12-hour clock.',
  'PHP: Guzzle MessageFormatter::DEBUG': 'The hash has 40 digits, the length of SHA-1; SHA-256 has 64.',
  'PHP: serialize': 'Croupier found no time in this text.',
  'PHP: data as a string': 'data is a string that holds JSON. The spec wants the object itself.',
  'PHP: print_r with a masked token':
    "data.externalToken isn't in this text: it's left out, masked, cut short or a variable. Enter the value that was hashed.",
  'PHP: a hash that is cut': 'The hash has 12 digits; SHA-256 has 64.',
  'PHP: print_r of objects': "Your backend's key ends in a line break.",
  'PHP: a curl command': 'The hash is base64. It should be 64 lowercase hexadecimal digits.',
  'PHP: gameList': 'Your backend hashes [] instead of data.',
  'PHP: var_dump of a body': 'Your backend writes amounts as strings with two decimals.',
  'PHP: time by date("c")': 'time is in ISO format. The spec wants dd-mm-yyyy hh:mm:ss.',
  'PHP: another key': probablyKey,
  'PHP: array_filter':
    'Your backend drops fields whose value is 0, "0", an empty string, false, null, or an empty object or array. Your backend hashes the time as seconds since 1970.',
  'PHP: three mistakes': 'The hash is uppercase; it should be lowercase.',
  'Python: repr of a dict': 'Your backend writes a space after each colon and comma.',
  'Python: logging with a dict':
    'Your backend writes a space after each colon and comma. Your backend sorts the fields of data by name.',
  'Python: logging with the body': 'Your backend leaves non-ASCII characters unescaped.',
  'Python: the body of requests': 'The hash is right.',
  'Python: structlog, key and value': 'Your backend makes an HMAC with the key instead of a plain SHA-256.',
  'Python: pprint': 'The hash is uppercase; it should be lowercase.',
  'Python: loguru': "Your backend hashes a dict as Python prints it: {'a': 1}.",
  'Python: a curl command': 'time is in ISO format. The spec wants dd-mm-yyyy hh:mm:ss.',
  'Python: a HAR fragment': 'The hash is base64. It should be 64 lowercase hexadecimal digits.',
  'Python: a traceback': 'data is a string that holds JSON. The spec wants the object itself.',
  'Python: a masked token':
    "data.externalToken isn't in this text: it's left out, masked, cut short or a variable. Enter the value that was hashed.",
  'Python: a hash that is cut': 'The hash has 16 digits; SHA-256 has 64.',
  'Python: structlog, JSON': 'Your backend sorts the fields of data by name.',
  'Python: repr of bytes': 'The hash has 32 digits, the length of MD5; SHA-256 has 64.',
  'Python: time by time.time()': 'time is in seconds since 1970. The spec wants dd-mm-yyyy hh:mm:ss.',
  'Python: gameList': 'Your backend hashes None instead of data.',
  'Python: a dataclass': probablyKey,
  'Python: CSV': 'Your backend hashes Latin-1 bytes.',
  'Python: urlencode': "Your backend writes a space after each comma. Your backend's key ends in a space.",
  'Python: three mistakes':
    'Your backend writes a space after each colon and comma. Your backend sorts the fields of data by name. Your backend hashes a time 1 second after the one in the request: it read the clock twice.',
  'Node: console.log of an object': 'Your backend leaves non-ASCII characters unescaped.',
  'Node: util.inspect': 'The hash is uppercase; it should be lowercase.',
  'Node: inspect without depth':
    "data isn't in this text: it's left out, masked, cut short or a variable. Enter the value that was hashed.",
  'Node: pino, object': 'The hash is base64. It should be 64 lowercase hexadecimal digits.',
  'Node: pino, text': 'Your backend makes an HMAC with the key instead of a plain SHA-256.',
  'Node: winston, JSON':
    "data was hashed with its fields in another order than in this text, whose program may have sorted them. Your backend hashes the time in ISO 8601 with milliseconds, as JavaScript's toISOString writes it.",
  'Node: winston, simple': 'time is in ISO format. The spec wants dd-mm-yyyy hh:mm:ss.',
  'Node: axios, toJSON':
    'Your backend leaves non-ASCII characters unescaped. Your backend encodes data twice: it hashes a JSON string that contains JSON.',
  'Node: axios, config': 'Your backend puts a comma between the parts.',
  'Node: a template': 'Your backend hashes [object Object].',
  'Node: data as a string': 'data is a string that holds JSON. The spec wants the object itself.',
  'Node: a masked token':
    "data.externalToken isn't in this text: it's left out, masked, cut short or a variable. Enter the value that was hashed.",
  'Node: a masked hash': "hash isn't in this text: it's left out, masked, cut short or a variable.",
  'Node: a variable in place of time': "time isn't in this text: it's left out, masked, cut short or a variable.",
  'Node: a big round': 'Your backend reads numbers as 64-bit floats, which changes integers beyond 2^53.',
  'Node: a field dropped': 'The hash is uppercase; it should be lowercase.',
  'Node: no hash': 'Croupier found no hash in this text.',
  'Node: a fetch call': "Your backend leaves non-ASCII characters unescaped. Your backend's key ends in a line break.",
  'Node: another key': probablyKey,
  'Node: three mistakes': 'The hash is base64. It should be 64 lowercase hexadecimal digits.',
};

let doctor: KeyDoctor;
/** Ends the search that finds no single mistake, where its line is said to be of another key. */
let onPast = () => {};
beforeAll(async () => {
  doctor = await createKeyDoctor('lines/Key+9=of-32-characters-long', 'php', ({ stages }) => {
    if (isPastSingles(stages)) onPast();
  });
});

/** Returns the sentence that comes first, read as both hosts do: one way after the other. */
async function firstSentence({ name, text }: LoggedLine): Promise<string> {
  const { requests, hashes } = doctor.recognise(text);
  const chosen = firstChoice(requests);
  const readings = [chosen, ...otherReadings(requests, chosen)].flatMap((at) => requests[at] ?? []);
  for (const reading of readings) {
    const { action, platform, partnerId, time, dataText, fidelity, missing } = reading;
    const hash = reading.hash ?? hashes[0] ?? null;
    if (time === null) return notHere('time', missing.includes('time'));
    if (hash === null) return notHere('hash', missing.includes('hash'));
    const [seen] = seenIn({ time, dataText, hash, missing });
    let said = '';
    onPast = () => {
      if (first[name] !== probablyKey) return;
      said = probablyKey;
      doctor.cancel(name);
    };
    const request = { action: action ?? '', platform: platform ?? '', partnerId: partnerId ?? '', time, dataText, hash };
    const report = await doctor.search({
      environmentId: 'key',
      ticket: name,
      request,
      fidelity,
      missing,
      deep: false,
      language: null,
    });
    if (said !== '') return said;
    if (report.verdict !== 'none' || reading === readings.at(-1)) return seen?.says ?? report.says;
  }
  return 'Nothing was read.';
}

it('has a sentence for each line', () => {
  expect(Object.keys(first)).toEqual(lines.map(({ name }) => name));
  expect(lines).toHaveLength(60);
});

it.each(lines)('says what is true first: $name ($mistakes)', async (line) => {
  expect(await firstSentence(line)).toBe(first[line.name]);
});
