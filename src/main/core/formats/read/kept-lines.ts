import { CollectionRequest, Expectation, type Variables } from '#shared/collections/model.ts';
import { textUpTo, z } from '#shared/model/schema.ts';
import { digestOf, readKept, type KeptKind, type KeptLine } from '../kept.ts';
import { membersOf, scalarText, type Members } from './members.ts';
import { reasons, type KeptRequest, type Lose, type RequestDraft } from './import-source.ts';

/** Reads the scripts of an item of Postman, and reports those that Croupier did not write, except the tests of a request. */
export function readEvents(owner: Members, lose: Lose, ofRequest = false) {
  const kept: KeptLine[] = [];
  // A script of somebody runs before the request and may insert what is missing.
  let scripted = false;
  // Of a request, with their position.
  let tests = '';
  let at = '';
  for (const item of owner.items('event')) {
    const event = membersOf(item);
    const listen = event?.text('listen') ?? '';
    const lines = linesOf(event);
    const written = readWritten(lines);
    kept.push(...written.kept.lines);
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
  return { scripted, tests, at, kept: createKept(kept) };
}

function linesOf(event: Members | null): string[] {
  const exec = event?.object('script')?.take('exec')?.node;
  const texts =
    exec?.kind === 'array' ? exec.items.map((line) => scalarText(line) ?? '') : [exec?.kind === 'string' ? exec.value : ''];
  return texts.flatMap((text) => text.split(/\r?\n/));
}

/** Takes the comments of Croupier out of a script, with the code that they stand for. `others` are the lines of somebody else. */
export function readWritten(lines: readonly string[]): { kept: Kept; others: string[] } {
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
  return { kept: createKept(kept), others };
}

const Names = z.array(textUpTo(1_000));
/** Names of the collection's variables there that are none of the collection here. */
const KeptVariables = z.strictObject({ environment: Names, folders: Names });
const Comments = z.array(z.string());
const { operation, form, tags, data, overrides, take: Take } = CollectionRequest.shape;
const OwnRequest = z.strictObject({ operation, form, tags, data, overrides });

export type Kept = ReturnType<typeof createKept>;

/** Creates what knows again what Croupier wrote, by its comments. */
export function createKept(lines: readonly KeptLine[]) {
  /** Returns the value of a comment of this kind, about this text if one is given; null if there is none, or nothing that Croupier writes. */
  function value<T>(kind: KeptKind, schema: z.ZodMiniType<T>, of?: string): T | null {
    const found = lines.find((one) => one.kind === kind && (of === undefined || one.digest === digestOf(of)));
    const parsed = found === undefined ? null : schema.safeParse(found.value);
    return parsed?.success === true ? parsed.data : null;
  }
  const collection = value('collection', KeptVariables);

  return {
    lines,
    value,
    has: (kind: KeptKind) => lines.some((one) => one.kind === kind),
    /** The comments that the file of a request had in Croupier, as a list of one text, or none. */
    comments(): string[] {
      const kept = value('comments', Comments);
      return kept === null ? [] : [kept.join('\n')];
    },
    /** The request as Croupier had it, if nobody changed what was made of it, its URL and its body. */
    request({ address, rawBody, lose }: RequestDraft): KeptRequest | null {
      const kept = value('request', OwnRequest);
      const of = `${address}\n${rawBody ?? ''}`;
      if (kept === null || lines.some(({ kind, digest }) => kind === 'request' && digest === digestOf(of))) return kept;
      lose('how its data was typed in Croupier', 'Its URL or body has changed since, so Croupier uses the current one.');
      return null;
    },
    /** Adds to a request what its response is checked for, and the variables that it sets. */
    checks({ expect, take, lose }: RequestDraft): void {
      for (const { kind, value: given } of lines) {
        const check = kind === 'expect' ? Expectation.safeParse(given) : null;
        const taken = kind === 'take' ? Take.safeParse(given) : null;
        if (check?.success === true) expect.push(check.data);
        else if (taken?.success === true) Object.assign(take, taken.data);
        else if (check !== null || taken !== null)
          lose(`Croupier's ${kind} comment`, "This version of Croupier doesn't know it.");
      }
    },
    /** True for the scripts of a collection. */
    isCollection: collection !== null,
    /** The variables of the collection itself: values of folders come back with their folders. */
    ownVariables(variables: Variables, lose: Lose): Variables {
      if (collection === null) return variables;
      const { environment, folders } = collection;
      const others = new Set([...environment, ...folders]);
      const ofEnvironment = environment.filter((name) => Object.hasOwn(variables, name));
      if (ofEnvironment.length > 0) lose(`the variables ${ofEnvironment.join(', ')}`, 'They come from the selected environment.');
      return Object.fromEntries(Object.entries(variables).filter(([name]) => !others.has(name)));
    },
    /** The values of folders as they are among the variables of the collection. */
    ofFolders: (variables: Variables) =>
      new Map(Object.entries(variables).filter(([name]) => collection?.folders.includes(name) === true)),
    /** The notes of a collection without the two paragraphs that an export adds to them. */
    ownNotes: (notes: string) =>
      collection === null ? notes : notes.replace(/(?:^|\n\n)Written by Croupier [^\n]*\n\n[^\n]*(?![^])/, ''),
  };
}
