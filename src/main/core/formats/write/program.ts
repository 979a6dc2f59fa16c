import { AppError } from '#shared/errors.ts';
import type { Call, Environment, ExportForm } from '#shared/ipc/index.ts';
import { inPieces } from '#shared/json/text-pieces.ts';
import { operationByName, timeOrderOf, type Operation } from '#shared/provider/index.ts';
import type { TimeOrder } from '#shared/signing/time.ts';
import type { TokenMask } from '../../masking/token-mask.ts';
import { type BodyPart, bodyParts, type CallWriter, isWholeText, sentBody } from './recorded-call.ts';

/** One call as a program makes it. */
export interface ProgramCall {
  /** Notes for the reader, a sentence each. */
  readonly notes: readonly string[];
  readonly url: URL;
  /** In the order in which they were sent, without those that belong to the connection. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The whole body as text, or the parts around a new time and a new hash. */
  readonly body: string | SigningBody;
}

export interface SigningBody {
  readonly parts: readonly BodyPart[];
  /** Text of `data`, as it is hashed; null where the body has none. */
  readonly data: string | null;
  /** IANA name, as the zone data writes it. */
  readonly timeZone: string;
  readonly timeOrder: TimeOrder;
}

/** Beginning of a program, which each language writes in its own syntax. */
export interface ProgramHead {
  /** A comment each. */
  readonly notes: readonly string[];
  /** The environment variable that holds the key; null if the program signs nothing. */
  readonly keyVariable: string | null;
}

/** One language that calls are exported to. */
export interface Language {
  /** Of the file, without a dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** The mark in front of a comment. */
  readonly comment: string;
  /** The lines in front of the first call. */
  readonly head: (head: ProgramHead) => string[];
  /** The lines of a call behind its notes; an empty one follows. */
  readonly call: (call: ProgramCall, several: boolean) => readonly string[];
}

/** The environment variable that names a PEM file with an authority to trust. */
export const caVariable = 'CROUPIER_CA';

export interface ProgramOptions {
  readonly form: ExportForm;
  readonly keyVariable: string;
  /** The writer of the program: `Croupier 1.0.0`. */
  readonly writer: string;
  /** Null where the environment was removed since. */
  readonly environment: (call: Call) => Environment | null;
  readonly mask: TokenMask;
}

/** Creates the writer of a program that makes `calls` calls, of which some are `signed`. Its calls fail as the bodies do. */
export function programWriter(
  name: string,
  language: Language,
  { calls, signed }: { readonly calls: number; readonly signed: boolean },
  options: ProgramOptions,
): CallWriter {
  const resigns = options.form === 'resigning' && signed;
  const notes = [
    `Written by ${options.writer}. ${calls === 1 ? 'One recorded call' : `${calls} recorded calls`}, ${options.form === 'resigning' ? 're-signed: the same data with a new time and hash' : 'as sent: the same bytes with the old time and hash'}.`,
    'The response goes to standard output, its HTTP status to standard error.',
    ...(resigns ? [`The private key comes from the environment variable ${options.keyVariable}.`] : []),
    `To trust an extra certificate authority, set the environment variable ${caVariable} to its PEM file.`,
  ];
  return {
    files: [
      {
        name: `${name}${options.form === 'resigning' ? '-resigning' : ''}.${language.extension}`,
        mediaType: language.mediaType,
      },
    ],
    head: () => [headText(language, notes, resigns ? options.keyVariable : null)],
    call: ({ call }) => [callText(language, programCall(call, options), calls > 1)],
    tail: () => [''],
  };
}

/** A whole program of calls that are all there. */
export function programText(language: Language, calls: readonly ProgramCall[], { notes, keyVariable }: ProgramHead): string {
  const texts = calls.map((one) => callText(language, one, calls.length > 1));
  return headText(language, notes, keyVariable) + texts.join('');
}

function headText(language: Language, notes: readonly string[], keyVariable: string | null): string {
  return language.head({ notes: comments(language, notes), keyVariable }).join('\n');
}

function callText(language: Language, call: ProgramCall, several: boolean): string {
  return `\n${[...comments(language, call.notes), ...language.call(call, several)].join('\n')}\n`;
}

/** Each stays within one line, whatever its source. */
function comments({ comment }: Language, notes: readonly string[]): string[] {
  // `?>` ends PHP, and everything else that ends a line or hides one ends the comment.
  return notes.map((note) => `${comment} ${note.replace(unprintable, ' ').replaceAll('?>', '? >')}`);
}

/** Characters that a source text shows as an escape: they cannot be seen, or an editor changes them. */
export const unprintable = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** A text in double quotes as JavaScript and Python read it. */
export function doubleQuoted(text: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return inPieces(JSON.stringify(text), (piece) => piece.replace(unprintable, escape));
}

const ofConnection = new Set(['host', 'connection', 'content-length']);

function programCall(call: Call, { form, environment, mask }: ProgramOptions): ProgramCall {
  const problem =
    call.operation === null
      ? `Call ${call.id} fits no operation`
      : call.origin === undefined || isWholeText(call)
        ? null
        : `The body of call ${call.id} isn't UTF-8`;
  if (call.operation === null || problem !== null)
    throw new AppError('invalid_input', `${problem}, so no program can send it. Export it as har or jsonl.`);
  const operation = operationByName(call.operation);
  const settings = environment(call);
  const before = mask.masked();
  const signed = call.request.hashInput !== null;
  const body = form === 'resigning' && signed ? signingBody(call, operation, settings, mask) : sentBody(call, mask);
  const masked = mask.masked() > before;
  const sentAt = new Date(call.sentAt).toISOString();
  const notes = [`Call ${call.id}: ${call.operation}, sent ${sentAt} to ${call.environmentName}. ${outcomeOf(call)}`];
  if (form === 'resigning') {
    if (!signed) notes.push('This method is not signed: the body is sent as it was.');
    else if (settings === null) notes.push('Its environment was removed and its time zone is unknown, so this program uses UTC.');
  }
  notes.push(...deliberate(call, form));
  if (masked) {
    const how = 'Export it with tokens kept (--keep-tokens on the command line), or replace [token] with a valid one.';
    if (!signed) notes.push(`A token is masked, so the provider will reject it. ${how}`);
    else if (form === 'resigning') notes.push(`A token is masked: the hash will be valid, but not the token. ${how}`);
    else
      notes.push(
        'A token is masked, so this body no longer matches its hash. Export it with tokens kept (--keep-tokens on the command line) to send the original.',
      );
  }
  if (settings !== null && settings.ca !== '') {
    const sandbox = settings.kind === 'sandbox' ? ", sandbox/ca.pem in Croupier's home" : '';
    notes.push(`This environment trusts an extra certificate authority: set ${caVariable} to its PEM file${sandbox}.`);
  }
  return {
    notes: notes.map((note) => mask.text(note)),
    url: addressOf(call, mask),
    headers: call.request.headers
      .filter(([name]) => !ofConnection.has(name.toLowerCase()))
      .map(([name, value]) => [name, mask.text(value)]),
    body,
  };
}

function addressOf(call: Call, mask: TokenMask): URL {
  const url = URL.parse(mask.text(call.url));
  if (url?.protocol === 'https:') return url;
  throw new AppError('invalid_input', `Call ${call.id} has no https URL, so no program can send it. Export it as har or jsonl.`);
}

function signingBody(call: Call, operation: Operation, environment: Environment | null, mask: TokenMask): SigningBody {
  const parts = bodyParts(call, mask);
  return {
    parts,
    data: parts.find((part) => part.kind === 'data')?.text ?? null,
    // JavaScript takes a zone's name in any letter case; others do not.
    timeZone: new Intl.DateTimeFormat('en', { timeZone: environment?.timeZone ?? 'UTC' }).resolvedOptions().timeZone,
    timeOrder: timeOrderOf(operation, environment?.answers ?? {}),
  };
}

function outcomeOf({ code, status, failure, state }: Call): string {
  if (failure !== null && status !== null) return `The response, HTTP ${status}, was incomplete: ${failure.kind}.`;
  if (failure !== null) return `There was no response: ${failure.kind}.`;
  if (state !== 'answered') return 'There was no response.';
  return code === null
    ? `The response was HTTP ${status ?? ''} without a code.`
    : `The response was code ${code}, HTTP ${status ?? ''}.`;
}

/** Lists deliberate faults of the call that a reader could mistake for faults of the program. */
function deliberate({ draft: { overrides } }: Call, form: ExportForm): string[] {
  const notes: string[] = [];
  const resigning = form === 'resigning';
  if (overrides.hash !== undefined) notes.push(`Its hash was wrong on purpose${resigning ? '; this program corrects it' : ''}.`);
  if (overrides.time !== undefined)
    notes.push(`Its time was set by hand${resigning ? '; this program uses the current time' : ''}.`);
  if (overrides.omit !== undefined && overrides.omit.length > 0) notes.push(`Left out on purpose: ${overrides.omit.join(', ')}.`);
  return notes;
}
