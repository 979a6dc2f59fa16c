import { AppError } from '#shared/errors.ts';
import { createPlaceCounter } from '#shared/json/line-and-column.ts';
import { longNameOf, longOption, type CurlOption } from './curl-options.ts';
import { straightenCommand } from './chat-text.ts';
import { createNames, literal } from './variable-names.ts';
import { fromPrompt, isForPrompt } from './windows-prompt.ts';
import { splitShell, type Word } from './shell-words.ts';
import { bareRequest, createLosses, reasons, type Losses, type Source, type SourceRequest } from './import-source.ts';

/** Returns whether the text consists of shell commands with curl among them. */
export function looksLikeCurl(text: string): boolean {
  return /(?:^|[\s\u200b-\u200d\u2060;&|$/])curl(?:\.exe)?[\s\u200b-\u200d\u2060]/.test(text.slice(0, 100_000));
}

/**
 * Reads one or several curl commands, as browsers and people write them for bash. Fails with `invalid_input` if a quote is not
 * closed.
 */
export function readCurl(text: string, file: string, losses: Losses): Source {
  const { text: plain, replaced } = straightenCommand(isForPrompt(text) ? fromPrompt(text) : text);
  if (replaced.length > 0) losses.add(file, replaced.join(', '), 'They are read as a shell needs them.', '');
  const split = splitShell(plain);
  const placeOf = createPlaceCounter(plain);
  if (!split.ok) {
    const { line, column } = placeOf(split.offset);
    throw new AppError('invalid_input', `${file}, line ${line}, column ${column}: ${split.message}`, { line, column });
  }
  const names = createNames(losses, file, 'the shell');
  const requests: SourceRequest[] = [];
  for (const command of split.commands) {
    const at = `line ${placeOf(command.start).line}`;
    const where = `${file}, ${at}`;
    const from = command.words.findIndex(({ parts }) => /(?:^|\/)curl(?:\.exe)?$/.test(textOf(parts)));
    if (from === -1) {
      losses.add(where, `the command ${textOf(command.words[0]?.parts ?? []) || 'without words'}`, 'Only curl is read.', at);
      continue;
    }
    if (from > 0) {
      const before = command.words.slice(0, from).map(({ parts }) => textOf(parts).replace(/=.*/s, '='));
      losses.add(where, `what stands before curl: ${before.join(' ')}`, 'Nothing is run here.', at);
    }
    for (const redirection of command.redirections)
      losses.add(where, `the redirection ${redirection.split(' ')[0] ?? ''}`, 'Responses are kept in the history.', at);
    requests.push(...readCommand(command.words.slice(from + 1), { where, at, names, input: command.input }));
  }
  return { format: 'curl', requests, folders: [] };
}

interface Place {
  readonly where: string;
  readonly at: string;
  readonly names: ReturnType<typeof createNames>;
  /** Its standard input; null where nobody knows it. */
  readonly input: Word | null;
}

interface Gathered {
  addresses: Word[];
  method: Word | null;
  data: { word: Word; option: string }[];
  isJson: boolean;
  refusal: string | null;
}

/** Reads one curl command: several requests if it has several URLs or `--next`. */
function readCommand(words: readonly Word[], place: Place): SourceRequest[] {
  const requests: SourceRequest[] = [];
  const { where, at } = place;
  let losses = createLosses();
  let gathered = nothing();

  function finish(): void {
    for (const address of gathered.addresses) requests.push(requestOf(address, gathered, losses, place));
    if (gathered.addresses.length === 0) requests.push(requestOf(null, gathered, losses, place));
    losses = createLosses();
    gathered = nothing();
  }

  function apply(name: string, option: CurlOption, value: Word | null, written: string): void {
    const { meaning } = option;
    if (meaning === 'next') finish();
    else if (meaning === 'method') gathered.method = value;
    else if (meaning === 'address' && value !== null) gathered.addresses.push(value);
    else if ((meaning === 'data' || meaning === 'json') && value !== null) {
      gathered.data.push({ word: fromInput(name, value, place.input), option: name });
      if (meaning === 'json') gathered.isJson = true;
    } else if (meaning === 'form') gathered.refusal ??= `${written} makes a form. Bodies of this API are JSON.`;
    else if (meaning === 'get') gathered.refusal ??= `${written} puts the data into the URL. Bodies of this API are JSON.`;
    else if (meaning === 'header' && value !== null) {
      losses.add(where, `the header ${/^[\w-]*/.exec(textOf(value.parts))?.[0] ?? ''}`, reasons.header, at);
    } else if (meaning !== 'silent') losses.add(where, `the option ${written}`, whyNot(name), at);
  }

  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    const text = textOf(word.parts);
    const next = () => words[++index] ?? null;
    if (!text.startsWith('-') || text === '-') gathered.addresses.push(word);
    else if (text.startsWith('--')) {
      // The text after an equals sign may be a secret.
      const [name = ''] = text.slice(2).split('=');
      const option = longOption(name);
      apply(name, option, option.takes ? next() : null, `--${name}`);
    } else {
      // One letter after another; the rest after one that takes a value is its value.
      for (let letter = 1; letter < text.length; letter++) {
        const short = text.charAt(letter);
        const name = longNameOf(short);
        const option = longOption(name ?? '');
        const rest = text.slice(letter + 1);
        const value = !option.takes ? null : rest === '' ? next() : afterLetters(word, letter + 1);
        apply(name ?? short, option, value, `-${short}`);
        if (option.takes) break;
      }
    }
  }
  finish();
  return requests;
}

/** Returns what stands in a here-document for `@-`. Without `-binary` curl leaves the ends of lines out. */
function fromInput(option: string, value: Word, input: Word | null): Word {
  if (input === null || option === 'data-raw' || textOf(value.parts) !== '@-') return value;
  if (option === 'data-binary' || option === 'json') return input;
  return {
    ...input,
    parts: input.parts.map((part) => (part.kind === 'text' ? { ...part, text: part.text.replace(/[\r\n]/g, '') } : part)),
  };
}

function nothing(): Gathered {
  return { addresses: [], method: null, data: [], isJson: false, refusal: null };
}

/** Returns the word without its first characters, which are text. */
function afterLetters({ parts, start }: Word, length: number): Word {
  const [first, ...rest] = parts;
  if (first?.kind !== 'text') return { parts, start };
  return { parts: [{ kind: 'text', text: first.text.slice(length) }, ...rest], start };
}

function requestOf(address: Word | null, gathered: Gathered, own: Losses, { where, at, names }: Place): SourceRequest {
  const losses = createLosses();
  losses.addAll(own.all());
  const { data, method, isJson } = gathered;
  let refusal = gathered.refusal;
  for (const { word, option } of data) {
    const [first] = word.parts;
    const isFile = option !== 'data-raw' && first?.kind === 'text' && first.text.startsWith('@');
    if (isFile)
      refusal ??= `Its body is in the file ${textOf(word.parts).slice(1)}, which is not read. Put what is in it behind --data-raw.`;
  }
  const computed = [address, ...data.map(({ word }) => word)]
    .flatMap((word) => word?.parts ?? [])
    .find(({ kind }) => kind === 'computed');
  if (computed?.kind === 'computed')
    refusal ??= `It holds ${computed.what}, which is not computed here. Write its value in its place.`;
  const read = (word: Word) =>
    word.parts
      .map((part) =>
        part.kind === 'text' ? literal(part.text) : part.kind === 'variable' ? `{{${names.nameOf(part.name)}}}` : '',
      )
      .join('');
  for (const word of [address, ...data.map(({ word }) => word)]) {
    for (const part of word?.parts ?? []) {
      if (part.kind === 'variable')
        losses.add(
          where,
          `the value of $${part.name}`,
          'It was a variable of the shell. Set a variable of that name before you send.',
          at,
        );
    }
  }
  const separator = isJson ? '' : '&';
  const hasBody = data.length > 0 && refusal === null;
  const holdsVariables = data.some(({ word }) => word.parts.some(({ kind }) => kind !== 'text'));
  return {
    ...bareRequest(),
    where,
    at,
    method: method === null ? (data.length > 0 || refusal !== null ? 'POST' : 'GET') : textOf(method.parts),
    address: address === null ? '' : read(address),
    body: hasBody ? data.map(({ word }) => read(word)).join(separator) : null,
    unreadBody: refusal,
    rawBody: hasBody && !holdsVariables ? data.map(({ word }) => textOf(word.parts)).join(separator) : null,
    losses: losses.all(),
  };
}

function whyNot(name: string): string {
  if (['insecure', 'cacert', 'capath', 'cert', 'key'].includes(name))
    return 'Certificates are always checked; an authority of its own is a setting of the environment.';
  if (['user', 'oauth2-bearer', 'cookie', 'netrc', 'aws-sigv4'].includes(name)) return reasons.auth;
  if (['max-time', 'connect-timeout'].includes(name)) return 'Timeouts are a setting of the environment.';
  return reasons.unknown;
}

/** Returns the text of a word; a variable of the shell stays as it is written. */
function textOf(parts: Word['parts']): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'variable' ? `$${part.name}` : '')).join('');
}
