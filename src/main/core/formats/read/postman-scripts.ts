import { CollectionRequest, Expectation, Variables } from '#shared/collections/model.ts';
import { textUpTo, z } from '#shared/model/schema.ts';
import { digestOf, readKept, type KeptKind, type KeptLine } from '../kept.ts';
import { membersOf, scalarText, type Members } from './members.ts';
import { reasons, type KeptRequest, type Lose } from './import-source.ts';

/** The scripts of a request, a folder or a collection of Postman. */
export interface Scripts {
  /** A script of somebody runs before the request and may insert what is missing. */
  readonly scripted: boolean;
  /** The lines of a request's tests that Croupier did not write. */
  readonly tests: string;
  /** Position of that script. */
  readonly at: string;
  /** The comments by which Croupier knows again what it wrote. */
  readonly kept: readonly KeptLine[];
}

/** Reads the scripts of an item, and reports those that Croupier did not write, except the tests of a request. */
export function readEvents(owner: Members, lose: Lose, ofRequest = false): Scripts {
  const kept: KeptLine[] = [];
  let scripted = false;
  let tests = '';
  let at = '';
  for (const item of owner.items('event')) {
    const event = membersOf(item);
    const listen = event?.text('listen') ?? '';
    const lines = linesOf(event);
    const written = readWritten(lines);
    kept.push(...written.kept);
    if (written.others.length === 0) continue;
    if (ofRequest && listen === 'test' && event?.text('disabled') !== 'true') {
      tests += `${written.others.join('\n')}\n`;
      at = item.at;
      continue;
    }
    if (listen === 'prerequest' && event?.text('disabled') !== 'true') scripted = true;
    const kind =
      listen === 'prerequest' ? 'the pre-request script' : listen === 'test' ? 'the test script' : `the script ${listen}`;
    lose(kind, reasons.script, item.at);
  }
  return { scripted, tests, at, kept };
}

function linesOf(event: Members | null): string[] {
  const exec = event?.object('script')?.take('exec')?.node;
  const texts =
    exec?.kind === 'array' ? exec.items.map((line) => scalarText(line) ?? '') : [exec?.kind === 'string' ? exec.value : ''];
  return texts.flatMap((text) => text.split(/\r?\n/));
}

/** Takes the comments of Croupier out of a script, with the code that they stand for. `others` are the lines of somebody else. */
export function readWritten(lines: readonly string[]): { kept: KeptLine[]; others: string[] } {
  const kept: KeptLine[] = [];
  let others: string[] = [];
  let inHelpers = false;
  for (const line of lines) {
    const one = readKept(line.trim());
    if (one === null) {
      if (!inHelpers && line.trim() !== '') others.push(line);
      continue;
    }
    // The signing script stands in front of its comment.
    if (one.kind === 'collection') others = [];
    else if (one.kind === 'helpers') inHelpers = true;
    else if (one.kind === 'checks') inHelpers = false;
    // Somebody changed the code: that counts now.
    else if (one.kind !== 'request' && one.code !== '' && digestOf(one.code) !== one.digest) others.push(one.code);
    else kept.push(one);
    if (one.kind === 'collection') kept.push(one);
  }
  return { kept, others };
}

const Names = z.array(textUpTo(1_000));
export const KeptVariables = z.strictObject({ environment: Names, folders: Names });
export const KeptFolder = z.strictObject({ variables: Variables });
const Comments = z.array(z.string());
const OwnRequest = z.strictObject({
  operation: CollectionRequest.shape.operation,
  form: CollectionRequest.shape.form,
  tags: CollectionRequest.shape.tags,
  data: CollectionRequest.shape.data,
  overrides: CollectionRequest.shape.overrides,
});

/** Comments as they were read. */
type Kept = Pick<Scripts, 'kept'>;

/** Returns the value of a comment of this kind, about this text if one is given; null if there is none, or nothing that Croupier writes. */
export function keptOf<T>({ kept }: Kept, kind: KeptKind, schema: z.ZodMiniType<T>, of?: string): T | null {
  const found = kept.find((one) => one.kind === kind && (of === undefined || one.digest === digestOf(of)));
  const parsed = found === undefined ? null : schema.safeParse(found.value);
  return parsed?.success === true ? parsed.data : null;
}

/** Returns the comments that the file of a request had in Croupier, as a list of one text, or none. */
export function keptComments(scripts: Kept): string[] {
  const kept = keptOf(scripts, 'comments', Comments);
  return kept === null ? [] : [kept.join('\n')];
}

/** Returns the request as Croupier had it, if nobody changed what was made of it: `of` is its URL and its body. */
export function keptRequest(scripts: Kept, of: string, lose: Lose): KeptRequest | null {
  const kept = keptOf(scripts, 'request', OwnRequest);
  if (kept === null) return null;
  if (scripts.kept.some(({ kind, digest }) => kind === 'request' && digest === digestOf(of))) return kept;
  lose('how its data was typed in Croupier', 'Its URL or its body was changed since: what stands there counts.');
  return null;
}

/** Adds to a request what its response is checked for, and the variables that it sets. */
export function readChecks({ kept }: Kept, lose: Lose, { expect, take }: Pick<CollectionRequest, 'expect' | 'take'>): void {
  for (const { kind, value } of kept) {
    const check = kind === 'expect' ? Expectation.safeParse(value) : null;
    const taken = kind === 'take' ? CollectionRequest.shape.take.safeParse(value) : null;
    if (check?.success === true) expect.push(check.data);
    else if (taken?.success === true) Object.assign(take, taken.data);
    else if (check !== null || taken !== null) lose(`a comment ${kind} of Croupier`, 'This version does not know what it is.');
  }
}

/** Returns the variables of the collection itself: values of folders come back with their folders. */
export function withoutOthers(
  variables: Variables,
  { environment, folders }: z.infer<typeof KeptVariables>,
  lose: Lose,
): Variables {
  const others = new Set([...environment, ...folders]);
  const ofEnvironment = environment.filter((name) => Object.hasOwn(variables, name));
  if (ofEnvironment.length > 0)
    lose(`the variables ${ofEnvironment.join(', ')}`, 'They come from the environment that is chosen.');
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !others.has(name)));
}

/** Returns the values of folders as they are among the variables of the collection. */
export function ofFolders({ folders }: z.infer<typeof KeptVariables>, variables: Variables): Map<string, string> {
  return new Map(Object.entries(variables).filter(([name]) => folders.includes(name)));
}

/** Returns the notes of a collection without the two paragraphs that an export adds to them. */
export function withoutNotice(notes: string): string {
  return notes.replace(/(?:^|\n\n)Written by Croupier [^\n]*\n\n[^\n]*(?![^])/, '');
}
