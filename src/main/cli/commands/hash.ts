import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Serialization } from '#shared/model/environment.ts';
import { timeFault } from '#shared/doctor/seen.ts';
import { parseJson, type JsonObject } from '#shared/json/parse.ts';
import { asUtf8, kindOfFile, kindWords, textOfFile } from '#shared/json/file-text.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { serializeBytes, serializeData } from '#shared/signing/serialize.ts';
import { checkStability } from '#shared/signing/stability.ts';
import { beyond } from '#shared/model/readers.ts';
import { suggestion, UsageError, type Arguments } from '../arguments.ts';
import { exits, type Command, type Context, type ExitCode } from '../command.ts';
import { takeKey } from '../key-variable.ts';
import { inputName, linesOf, readInputFile, textOfInput } from '../read-input.ts';

/** A total map, so that a new serialization does not compile until it is named here. */
const serializations: Readonly<Record<Serialization, true>> = { php: true, 'php-unicode': true, verbatim: true };

export const hashCommand: Command = {
  spec: {
    name: 'hash',
    summary: 'Print the hash: SHA-256 of key + time + data, in lowercase hexadecimal.',
    options: {
      'key-env': { value: 'VAR', help: 'Read the key from this environment variable' },
      env: { value: 'NAME', help: 'Use the key and the serialization of this environment' },
      time: { value: 'TIME', help: "Use this text as time, such as '20-11-2026 10:15:30'" },
      serialization: {
        value: 'FORM',
        help: 'Serialize data as php (default), php-unicode (unescaped non-ASCII) or verbatim (unchanged)',
      },
      data: { value: 'TEXT', help: 'Use this JSON as data' },
      'data-file': { value: 'FILE', help: 'Read data from this file (- for standard input)' },
      batch: { help: 'Read one case per line from standard input, print one result per line' },
      json: { help: 'Print the hash with its hash input' },
    },
    notes: [
      'Without data, it hashes key and time, as for gameList.',
      'A batch line is {"id", "time", "serialization", "dataTextBase64"}; all but "id" are optional and default to the options.',
    ],
  },
  run: (args, context) => (args.has('batch') ? hashBatch(args, context) : hashOne(args, context)),
};

interface Serialized {
  /** The hashed data, as a string if it is text; null if there is no data. */
  readonly data: string | Uint8Array | null;
  readonly stable: { readonly php: boolean; readonly phpAssoc: boolean };
}

/** A key that hashes: of the command's own, or of an environment, which stays in the process that holds the keys. */
interface Hasher {
  /** Used if the command names none. */
  readonly serialization: Serialization;
  digest(time: string, data: string | Uint8Array | null): string | Promise<string>;
}

async function hashOne(args: Arguments, context: Context): Promise<ExitCode> {
  const time = args.value('time');
  if (time === undefined) throw new UsageError('--time is missing.');
  const [data, file] = [args.value('data'), args.value('data-file')];
  if (data !== undefined && file !== undefined) throw new UsageError('Use --data or --data-file, not both.');
  return withHasher(args, context, async (hasher) => {
    const { terminal } = context;
    const serialization = readSerialization(args.value('serialization') ?? hasher.serialization);
    const fault = timeFault(time);
    if (fault !== null) terminal.note(`croupier: ${fault} It is hashed as typed.`);
    const bytes =
      file === undefined ? (data === undefined ? null : Buffer.from(data)) : await readData(file, serialization, context);
    const { data: used, stable } = serialize(serialization, bytes);
    const hash = await hasher.digest(time, used);
    if (!args.has('json')) await terminal.result(hash);
    else {
      const dataJson = used instanceof Uint8Array ? decodeUtf8Leniently(used).text : used;
      await terminal.result(JSON.stringify({ hash, time, dataJson, bytes: Buffer.byteLength(used ?? ''), stable }));
    }
    return exits.done;
  });
}

/** Runs `work` with the key of `--key-env`, or with that of the environment that `--env` names. */
async function withHasher(args: Arguments, context: Context, work: (hasher: Hasher) => Promise<ExitCode>): Promise<ExitCode> {
  if (!args.has('env')) {
    const secret = takeKey(keyOf(args), context.terminal);
    return work({ serialization: 'php', digest: (time, data) => digest(secret, time, data ?? '') });
  }
  if (args.has('key-env')) throw new UsageError('Use --env or --key-env, not both.');
  const [{ withEnvironment }, { serializationOf }] = await Promise.all([
    import('../sandbox-environment.ts'),
    import('#shared/provider/index.ts'),
  ]);
  return withEnvironment(args, context, ({ client }, environment) =>
    work({
      serialization: serializationOf(environment),
      async digest(time, data) {
        if (data instanceof Uint8Array) throw new AppError('invalid_input', 'With --env, data must be text in UTF-8.');
        return (await client.call('keys.digest', { environmentId: environment.id, time, data })).digest;
      },
    }),
  );
}

/** Reads the bytes of data: a text as UTF-8, and for `verbatim` every byte as it is. */
async function readData(file: string, serialization: Serialization, context: Context): Promise<Uint8Array> {
  const bytes = await readInputFile('input.data', file, context);
  // PHP refuses a text with a byte order mark, and what this command prints is checked against PHP.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes;
  if (serialization !== 'verbatim') return Buffer.from(textOfInput(bytes, file, context));
  const kind = kindOfFile(bytes);
  if (kind.is !== 'UTF-8') context.terminal.note(`croupier: ${kindWords(inputName(file), kind)} Its bytes are hashed unchanged.`);
  return bytes;
}

async function hashBatch(args: Arguments, { terminal, stop }: Context): Promise<ExitCode> {
  const key = keyOf(args);
  for (const option of ['data', 'data-file', 'json', 'env']) {
    if (args.has(option)) throw new UsageError(`Use --batch or --${option}, not both.`);
  }
  const serialization = readSerialization(args.value('serialization') ?? 'php');
  const secret = takeKey(key, terminal);
  for await (const lines of linesOf(asUtf8(terminal.stdin as AsyncIterable<Buffer>, 'Standard input'), 'hash.lines')) {
    let results = '';
    for (const line of lines) if (line?.length !== 0) results += `${hashLine(line, secret, args.value('time'), serialization)}\n`;
    // Reads no further until the output is written, so that a slow reader fills no memory.
    await terminal.resultBytes(Buffer.from(results));
    if (stop.aborted) return exits.noAnswer;
  }
  return exits.done;
}

/** Returns the result line of one case, which may lack a time and a serialization; for a refused case its ID and the reason. */
function hashLine(line: Buffer | null, key: string, usualTime: string | undefined, usual: Serialization): string {
  let id = 'null';
  try {
    if (line === null)
      throw new AppError('invalid_input', `The line ${beyond('hash.lines', { line: Number.POSITIVE_INFINITY })}`);
    const { text } = textOfFile(line, 'The line');
    const root = readObject(text);
    const idNode = root.members.findLast((member) => member.key === 'id')?.value;
    // The source text, so that every digit of an ID is returned.
    if (idNode !== undefined) id = text.slice(idNode.start, idNode.end);
    const members = readTexts(root);
    const time = members.get('time') ?? usualTime;
    if (time === undefined) throw new AppError('invalid_input', 'The case has no "time", and there is no --time.');
    const form = members.get('serialization');
    const base64 = members.get('dataTextBase64');
    const bytes = base64 === undefined ? null : decodeBase64(base64);
    const { data, stable } = serialize(form === undefined ? usual : readSerialization(form), bytes);
    const hash = digest(key, time, data ?? '');
    const dataJson = data === null ? 'null' : `"${base64Of(data)}"`;
    return `{"id":${id},"hash":"${hash}","dataJsonBase64":${dataJson},"stable":${JSON.stringify(stable)}}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `{"id":${id},"error":${JSON.stringify(error.message)}}`;
  }
}

function readObject(line: string): JsonObject {
  const parsed = parseJson(line);
  if (!parsed.ok) {
    throw new AppError('invalid_input', `The line is not JSON: ${parsed.error.message} (column ${parsed.error.column})`);
  }
  if (parsed.root.kind !== 'object') throw new AppError('invalid_input', 'The line is not a JSON object.');
  return parsed.root;
}

const textNames = ['time', 'serialization', 'dataTextBase64'];

/** Returns the members of a case without its ID; a null counts as absent. */
function readTexts(root: JsonObject): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { key, value } of root.members) {
    if (key === 'id') continue;
    if (!textNames.includes(key)) {
      throw new AppError('invalid_input', `Unknown member ${JSON.stringify(key)}.${suggestion(key, ['id', ...textNames])}`);
    }
    if (value.kind === 'string') texts.set(key, value.value);
    else if (value.kind !== 'null') throw new AppError('invalid_input', `"${key}" is not a string.`);
  }
  return texts;
}

/** Returns data as it is hashed. Fails with `invalid_input`. */
function serialize(serialization: Serialization, given: Uint8Array | null): Serialized {
  if (given === null) return { data: null, stable: { php: true, phpAssoc: true } };
  const serialized = isUtf8(given)
    ? serializeData(Buffer.from(given).toString('utf8'), serialization)
    : serializeBytes(given, serialization);
  if (!serialized.ok) {
    const { message, line, column } = serialized.error;
    throw new AppError('invalid_input', `${message} (line ${line}, column ${column})`);
  }
  if (!('dataJson' in serialized)) {
    // Bytes that are not text, which only `verbatim` accepts, are never stable.
    return { data: serialized.bytes, stable: { php: false, phpAssoc: false } };
  }
  const { dataJson } = serialized;
  const { php, phpAssoc } = checkStability(dataJson, serialization);
  return { data: dataJson, stable: { php: php.stable, phpAssoc: phpAssoc.stable } };
}

function digest(key: string, time: string, data: string | Uint8Array): string {
  // One call, because a hash object for each case would hold memory until the garbage collector runs.
  return hash('sha256', typeof data === 'string' ? key + time + data : Buffer.concat([Buffer.from(key + time), data]), 'hex');
}

function base64Of(data: string | Uint8Array): string {
  return (typeof data === 'string' ? Buffer.from(data, 'utf8') : Buffer.from(data)).toString('base64');
}

function keyOf(args: Arguments): string {
  const name = args.value('key-env');
  if (name === undefined)
    throw new UsageError('--key-env is missing. Name the environment variable that holds the key, or use --env.');
  return name;
}

function readSerialization(text: string): Serialization {
  const names = Object.keys(serializations);
  if (!Object.hasOwn(serializations, text)) {
    throw new AppError(
      'invalid_input',
      `There is no serialization ${JSON.stringify(text)}.${suggestion(text, names)} Available: ${names.join(', ')}.`,
    );
  }
  return text as Serialization;
}

/** Decodes base64 strictly; `Buffer.from` alone would skip invalid characters. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new AppError('invalid_input', '"dataTextBase64" is not base64.');
  return bytes;
}
