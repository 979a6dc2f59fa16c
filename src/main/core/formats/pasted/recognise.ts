import type { Fidelity, Recognition } from '#shared/ipc/index.ts';
import { readCommands, readShellWords } from './commands.ts';
import { readBareParts, readHashInput, readLabelled } from './labelled.ts';
import { languageAround } from './language.ts';
import { mayHold, under, type Level, type Reading } from './level.ts';
import { readLineForm } from './line-forms.ts';
import { readObject, readTree } from './objects.ts';
import { createRanking, type Ranking } from './ranking.ts';
import { segmentsOf, type Below, type Segment } from './segments.ts';
import { createWork, type Work } from './work.ts';

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'pasted.read': typeof readPasted;
  }
}

/** Most layers around a request. */
const mostLayers = 6;

const unrecognised =
  'No request found in this text. Paste a body with action, time, data and hash, a log line that contains one, a curl command, a HAR ' +
  'file, or just time, data and hash.';

const unfinished =
  'Croupier did not read this text to the end: a bracket or quote is not closed. Paste only the lines around the request.';

/**
 * Recognises the requests in a text by undoing its layers from the outside in, at most six. The innermost text keeps its bytes. Steps are
 * linear in the length of the text, so that no text blocks a thread.
 */
export function recognise(text: string, work: Work = createWork(text.length)): Recognition {
  const ranking = createRanking();
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  readLevel({ text: plain, layers: [], fidelity: 'exact', url: null, depth: 0 }, ranking, work);
  const { requests, leftOff, refusal } = ranking.list();
  const used = new Set(requests.map(({ hash }) => hash));
  const hashes = digestsIn(plain, work).filter((digest) => !used.has(digest));
  const isNothing = requests.length + hashes.length === 0;
  const around = languageAround(plain);
  const read = requests.map((request) => ({ ...request, language: request.language ?? around }));
  return {
    requests: read,
    leftOff,
    hashes,
    problem: work.excess ?? (work.isCut ? unfinished : isNothing ? (refusal ?? unrecognised) : null),
  };
}

/** The job of the reading threads. */
export function readPasted(text: string): Recognition {
  return recognise(text);
}

const mostDigests = 100;

/** Returns the digests of a text, each once; those of which at least ten digits are left end with `…`. */
function digestsIn(text: string, work: Work): string[] {
  work.spend(text.length);
  const found = new Set<string>();
  for (const [digest] of text.matchAll(/\b(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{10,63}(?:…|\.{3}))(?![0-9A-Za-z])/g)) {
    if (found.size >= mostDigests) break;
    found.add(digest.replace('...', '…'));
  }
  return [...found];
}

function readLevel(level: Level, ranking: Ranking, work: Work): void {
  const { text, depth } = level;
  if (depth > mostLayers || work.over || (depth > 0 && !mayHold(text))) return;
  work.spend(text.length);
  const readBelow = (below: Level) => readLevel(below, ranking, work);
  const whole = readLineForm(text, work);
  if (whole !== null) {
    for (const below of whole) readBelow(inside(level, below.layer, below.text, below.fidelity));
    return;
  }
  const commands = readCommands(text, work);
  const bodies = commands?.bodies ?? [];
  const words = bodies.length === 0 ? readShellWords(text, work) : null;
  if (commands !== null && commands.problem !== null) ranking.refuse(commands.problem);
  const { layer, fidelity } = commands?.copied ?? { layer: null };
  const origin = { ...level, ...under(level, layer, fidelity) };
  for (const command of bodies) readBelow({ ...inside(origin, 'curl command', command.text), url: command.url });
  if (words !== null) readBelow(inside(level, 'shell quoting', words));
  // The command's own words are read; its output may follow.
  readSegments({ level, codesOnly: bodies.length > 0, ranking, work, readLevel: readBelow });
}

/** Returns the text below one layer more. */
function inside(level: Omit<Level, 'text'>, layer: string, text: string, fidelity?: Fidelity): Level {
  return { ...under(level, layer, fidelity), text, depth: level.depth + 1 };
}

function readSegments(reading: Reading): void {
  const { level, codesOnly, ranking, work } = reading;
  const { text } = level;
  const segments = segmentsOf(text, work.half());
  const before = ranking.envelopes();
  let from = 0;
  for (const segment of segments) {
    if (!codesOnly || segment.kind === 'json') readSegment(reading, segment, text.slice(from, segment.start));
    from = segment.end;
  }
  if (codesOnly) return;
  for (const request of readHashInput(text, segments, level)) ranking.add(request, 'apart');
  if (ranking.envelopes() > before) return;
  const request = readLabelled(text, segments, level, work) ?? readBareParts(text, segments, level, work);
  if (request !== null) ranking.add(request, 'apart');
}

/** `before` is the text between the segment and the one before it. */
function readSegment(reading: Reading, segment: Segment, before: string): void {
  const { level, codesOnly } = reading;
  const lead = leadOf(before, level.text.slice(Math.max(0, segment.start - longestLead), segment.start), level.depth);
  // The other columns are no line of a log.
  const isColumn = segment.kind === 'texts' && /^(?:CSV field|SQL string)$/.test(segment.texts[0]?.layer ?? '');
  const origin = { ...under(level, isColumn ? null : lead.layer, lead.fidelity), url: lead.url ?? level.url };
  const readTexts = (texts: readonly Below[]) => {
    for (const { text, layer, fidelity } of texts)
      reading.readLevel(inside({ ...origin, depth: level.depth }, layer, text, fidelity));
  };
  if (segment.kind === 'texts') readTexts(segment.texts);
  else if (segment.kind === 'tree') readTree(reading, segment.tree, under(origin, segment.layer, segment.fidelity));
  else {
    const below = codesOnly ? [] : segment.below;
    readTexts(below.filter(({ isLikelier }) => isLikelier));
    readObject(reading, segment.root, segment.text, origin, segment.cutAt);
    readTexts(below.filter(({ isLikelier }) => !isLikelier));
  }
}

/** Meaning of the text before a value. */
interface Lead {
  readonly layer: string | null;
  readonly fidelity: Fidelity;
  readonly url: string | null;
}

/** One word or URL before a value, which is not a line of a log. */
const label = /^\s{0,100}(?:[$<]?[\w\\]{1,80}>?|https?:\/\/\S{1,4000})[ :=]{0,4}['"]?$/;
/** Characters before a value that may say what wrote it. */
const longestLead = 8_000;
const monolog = /^\[[^\]\n]{10,60}\] [\w.-]{1,80}\.[A-Z]{4,9}: /m;
const http = /(?:^|\n)(?:> )?POST (\S{1,4000}) HTTP\/[\d.]{1,3}\r?(?:\n|$)/;
const host = /(?:^|\n)(?:> )?Host: ?([\w.:-]{1,300})/i;
const serviceUrl = /https?:\/\/[\w.:-]{1,300}(?:\/[\w.~%-]{1,200}){0,20}/;

/** Names the text before a segment: a log's line, a message of HTTP, or nothing that matters. */
function leadOf(before: string, all: string, depth: number): Lead {
  const near = before.slice(-longestLead);
  const path = http.exec(near)?.[1];
  if (path !== undefined) {
    const name = host.exec(near)?.[1];
    const url = /^https?:/.test(path) || name === undefined ? path : `https://${name}${path}`;
    return { layer: 'HTTP message', fidelity: 'exact', url };
  }
  if (/;s:\d{1,9}:"$/.test(near)) return { layer: 'PHP serialize', fidelity: 'exact', url: null };
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const [, postman] = /POST (https?:\/\/\S{1,4000})[^]*\nRequest Body: ?["']?$/.exec(all) ?? [];
  if (postman !== undefined) return { layer: 'Postman console', fidelity: 'exact', url: postman };
  const [, fetched] = /\bfetch\(\s{0,20}["'`](https?:\/\/[^\s"'`]{1,4000})["'`],\s{0,20}$/.exec(near) ?? [];
  if (fetched !== undefined) return { layer: 'fetch call', fidelity: 'exact', url: fetched };
  if (label.test(line)) return { layer: null, fidelity: 'exact', url: null };
  const url = serviceUrl.exec(line)?.[0] ?? null;
  // Monolog writes its context again: bare slashes, bare characters.
  if (monolog.test(line)) return { layer: 'Monolog line', fidelity: 'reencoded', url };
  const isLine = depth === 0 ? /[A-Za-z0-9]/.test(line) : /\w\W{0,4}\d|\[\w+\]/.test(line);
  return { layer: isLine ? 'log line' : null, fidelity: 'exact', url };
}
