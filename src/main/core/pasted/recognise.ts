import type { Fidelity, Recognition } from '#shared/ipc/index.ts';
import type { JsonNode, JsonObject } from '#shared/json/parse.ts';
import { readCommands, readShellWords } from './commands.ts';
import { containerName, harBody, textOfBytes, urlOf } from './containers.ts';
import { isEnvelope, operationsFitting, readEnvelope, requestOf, responseCode, type Origin } from './envelope.ts';
import { readBareParts, readHashInput, readLabelled } from './labelled.ts';
import { readLineForm } from './line-forms.ts';
import { partsOfJson, partsOfTree, unflattened, type Part, type Parts } from './members.ts';
import { createRanking, type Ranking } from './ranking.ts';
import { segmentsOf, type Segment } from './segments.ts';
import type { Tree } from './tree.ts';
import { createWork, type Work } from './work.ts';

/** Most layers around a request. */
const mostLayers = 6;

/** A text below the layers that were undone. */
interface Level extends Origin {
  readonly text: string;
  readonly depth: number;
}

/** Matches what requests and responses have somewhere, in any of the encodings that are undone here. */
const hint =
  /action|hash|partnerid|roundid|gamemode|playerid|externaltoken|"?code|7b ?22|eyJ|ewo|ewk|eyA|123, ?(?:34|10|32)|\d-\d{2}-\d{2,4} /i;

const unrecognised =
  'No request was found in this text. Paste a body with action, time, data and hash, the line of a log that holds one, a curl command, a HAR ' +
  'file, or time, data and hash by themselves.';

/**
 * Recognises the requests in a text by undoing its layers from the outside in, at most six. The innermost text keeps its bytes. Steps are
 * linear in the length of the text, so that no text blocks a thread.
 */
export function recognise(text: string, work: Work = createWork(text.length)): Recognition {
  const ranking = createRanking();
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  readLevel({ text: plain, layers: [], fidelity: 'exact', url: null, depth: 0 }, ranking, work);
  const { requests, leftOff } = ranking.list();
  work.spend(plain.length);
  const used = new Set(requests.map(({ hash }) => hash));
  const digests = [...new Set(plain.match(/\b(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{10,63}(?:…|\.{3}))(?![0-9A-Za-z])/g) ?? [])];
  const hashes = digests
    .map((digest) => digest.replace('...', '…'))
    .filter((digest) => !used.has(digest))
    .slice(0, 100);
  return { requests, leftOff, hashes, problem: requests.length + hashes.length === 0 ? unrecognised : null };
}

function readLevel(level: Level, ranking: Ranking, work: Work): void {
  const { text, depth } = level;
  if (depth > mostLayers || work.over || !hint.test(text)) return;
  work.spend(text.length);
  const whole = readLineForm(text, work);
  if (whole !== null) {
    for (const below of whole) readLevel(inside(level, below.layer, below.text, below.fidelity), ranking, work);
    return;
  }
  const commands = readCommands(text, work);
  const words = commands === null ? readShellWords(text, work) : null;
  for (const command of commands ?? []) {
    readLevel({ ...inside(level, 'curl command', command.text), url: command.url }, ranking, work);
  }
  if (words !== null) readLevel(inside(level, 'shell quoting', words), ranking, work);
  // The command's own words are read; its output may follow.
  const reader = createReader(level, commands !== null || words !== null, ranking, work);
  reader.read();
}

/** Returns the text below one layer more; trust never grows on the way in. */
function inside(level: Origin & { readonly depth: number }, layer: string, text: string, fidelity: Fidelity = 'exact'): Level {
  return { ...level, text, depth: level.depth + 1, ...under(level, layer, fidelity) };
}

function under(origin: Origin, layer: string | null, fidelity: Fidelity = 'exact'): Origin {
  const { layers, url } = origin;
  const trust: readonly Fidelity[] = ['exact', 'reencoded', 'lossy'];
  const least = trust[Math.max(trust.indexOf(origin.fidelity), trust.indexOf(fidelity))] ?? 'lossy';
  const isNew = layer !== null && layers[layers.length - 1] !== layer;
  return { layers: isNew ? [...layers, layer] : layers, fidelity: least, url };
}

function createReader(level: Level, codesOnly: boolean, ranking: Ranking, work: Work) {
  const { text, depth } = level;
  const fields = (parts: Parts, envelopeText: string | null, origin: Origin) => {
    for (const request of readEnvelope(parts, envelopeText, origin)) ranking.add(request, 'envelope');
  };
  function answered(parts: Parts): boolean {
    const code = responseCode(parts);
    if (code !== null) ranking.answer(code);
    return code !== null;
  }
  function bare(parts: Parts, dataText: string, origin: Origin): void {
    const names = [...parts.values()].map(({ name }) => name);
    if (operationsFitting(names, origin.url).length === 0) return;
    const none = { action: null, platform: null, partnerId: null, time: null, currency: null, hash: null, envelopeText: null };
    ranking.add(requestOf({ ...none, dataText }, origin, []), 'data');
  }

  /** Reads an object of JSON: a request, a response, or something around them. */
  function json(root: JsonObject, source: string, start: Origin, cutAt: number | null): void {
    const waiting: { node: JsonNode; origin: Origin; isInner: boolean; isNamed: boolean }[] = [
      { node: root, origin: start, isInner: false, isNamed: false },
    ];
    for (let next = waiting.pop(); next !== undefined && !work.over; next = waiting.pop()) {
      const { node, origin, isInner, isNamed } = next;
      work.spend(1);
      const below = (): Origin => (isNamed ? origin : under(origin, 'JSON inside JSON'));
      if (node.kind === 'string') {
        if (hint.test(node.value)) readLevel({ ...below(), text: node.value, depth: depth + 1 }, ranking, work);
      } else if (node.kind === 'array') {
        const bytes = textOfBytes(node);
        if (bytes === null) for (const item of node.items.toReversed()) waiting.push({ ...next, node: item, isInner: true });
        else readLevel({ ...origin, text: bytes, depth: depth + 1 }, ranking, work);
      } else if (node.kind === 'object') {
        const parts = unflattened(partsOfJson(node, source));
        work.spend(parts.size);
        const name = containerName(node);
        const own = source.slice(node.start, node.end);
        const nested = isInner ? under(origin, 'object inside JSON', 'reencoded') : origin;
        if (!answered(parts) && codesOnly) continue;
        if (isEnvelope(parts)) {
          const isRecord = name === 'log line' || parts.has('data') !== hasOwn(node, 'data');
          const trusted = isRecord ? under(origin, name ?? 'columns', isRecord && name === null ? 'lossy' : 'reencoded') : nested;
          const whole = isRecord || cutAt !== null || trusted.fidelity !== 'exact' ? null : own;
          if (cutAt === null) fields(parts, whole, trusted);
          else cut(node, parts, trusted, cutAt);
          continue;
        }
        if (responseCode(parts) !== null) continue;
        const body = harBody(node);
        if (body !== null) {
          readLevel({ ...under(origin, body.isBase64 ? 'Base64' : null), text: body.text, depth: depth + 1 }, ranking, work);
          continue;
        }
        if (name === null && cutAt === null) bare(parts, own, nested);
        const here = { ...under(origin, name), url: urlOf(node) ?? origin.url };
        const isNamedHere = isNamed || (name !== null && name !== 'log line');
        for (const { value } of node.members.toReversed()) {
          waiting.push({ node: value, origin: here, isInner: true, isNamed: isNamedHere });
        }
      }
    }
  }

  /** An envelope that breaks off: a field that was open there is missing, and so is a hash that did not come. */
  function cut(node: JsonObject, parts: Parts, origin: Origin, cutAt: number): void {
    const open = node.members.find(({ value }) => value.end > cutAt)?.key;
    const whole = new Map([...parts].filter(([, part]) => part.name !== open));
    const missing = [...(open === undefined ? [] : [open]), ...(whole.has('hash') || open === 'hash' ? [] : ['hash'])];
    for (const request of readEnvelope(whole, null, origin)) {
      ranking.add({ ...request, missing: [...new Set([...request.missing, ...missing])] }, 'envelope');
    }
  }

  /** Reads a value in another notation, as JSON is read. */
  function tree(root: Tree, start: Origin): void {
    const isLossy = start.fidelity === 'lossy';
    const waiting: Tree[] = [root];
    for (let next = waiting.pop(); next !== undefined && !work.over; next = waiting.pop()) {
      work.spend(1);
      if (next.kind === 'string' || next.kind === 'word') {
        // A text kept its bytes, whatever happened to the values around it.
        if (hint.test(next.text))
          readLevel({ ...start, fidelity: level.fidelity, text: next.text, depth: depth + 1 }, ranking, work);
      } else if (next.kind === 'list') waiting.push(...next.items.toReversed());
      else if (next.kind === 'object') {
        const parts = unflattened(partsOfTree(next, isLossy));
        work.spend(parts.size);
        if (answered(parts) || codesOnly) continue;
        if (isEnvelope(parts)) {
          fields(parts, null, start);
          continue;
        }
        bare(parts, treeText(parts), start);
        waiting.push(...next.entries.map(({ value }) => value).toReversed());
      }
    }
  }

  function segment(one: Segment, before: string): void {
    if (codesOnly && one.kind !== 'json') return;
    const lead = leadOf(before, depth);
    // The other columns are no line of a log.
    const isColumn = one.kind === 'texts' && one.texts[0]?.layer === 'CSV field';
    const origin = { ...under(level, isColumn ? null : lead.layer, lead.fidelity), url: lead.url ?? level.url };
    if (one.kind === 'json') json(one.root, one.text, origin, one.cutAt);
    else if (one.kind === 'tree') tree(one.tree, under(origin, one.layer, one.fidelity));
    else
      for (const below of one.texts)
        readLevel({ ...inside({ ...origin, depth }, below.layer, below.text, below.fidelity) }, ranking, work);
  }

  return {
    read(): void {
      const segments = segmentsOf(text, work);
      const before = ranking.envelopes();
      let from = 0;
      for (const one of segments) {
        segment(one, text.slice(from, one.start));
        from = one.end;
      }
      if (codesOnly) return;
      for (const request of readHashInput(text, segments, level)) ranking.add(request, 'apart');
      if (ranking.envelopes() > before) return;
      const request = readLabelled(text, segments, level, work) ?? readBareParts(text, segments, level, work);
      if (request !== null) ranking.add(request, 'apart');
    },
  };
}

function hasOwn({ members }: JsonObject, name: string): boolean {
  return members.some(({ key }) => key === name);
}

/** Joins the fields of an object that is data by itself. */
function treeText(parts: Parts): string {
  return `{${[...parts.values()].map(({ name, text }: Part) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** One word or URL before a value, which is not a line of a log. */
const label = /^\s{0,100}(?:[$<]?[\w\\]{1,80}>?|https?:\/\/\S{1,4000})[ :=]{0,4}['"]?$/;
const monolog = /^\[[^\]\n]{10,60}\] [\w.-]{1,80}\.[A-Z]{4,9}: /m;
const http = /(?:^|\n)(?:> )?POST (\S{1,4000}) HTTP\/[\d.]{1,3}\r?(?:\n|$)/;
const host = /(?:^|\n)(?:> )?Host: ?([\w.:-]{1,300})/i;
const serviceUrl = /https?:\/\/[\w.:-]{1,300}(?:\/[\w.~%-]{1,200}){0,20}/;

/** Names the text before a segment: a log's line, a message of HTTP, or nothing that matters. */
function leadOf(before: string, depth: number): { layer: string | null; fidelity: Fidelity; url: string | null } {
  const near = before.slice(-8_000);
  const path = http.exec(near)?.[1];
  if (path !== undefined) {
    const name = host.exec(near)?.[1];
    const url = /^https?:/.test(path) || name === undefined ? path : `https://${name}${path}`;
    return { layer: 'HTTP message', fidelity: 'exact', url };
  }
  if (/;s:\d{1,9}:"$/.test(near)) return { layer: 'PHP serialize', fidelity: 'exact', url: null };
  const line = near.slice(near.lastIndexOf('\n') + 1);
  if (label.test(line)) return { layer: null, fidelity: 'exact', url: null };
  const url = serviceUrl.exec(line)?.[0] ?? null;
  // Monolog writes its context again: bare slashes, bare characters.
  if (monolog.test(line)) return { layer: 'Monolog line', fidelity: 'reencoded', url };
  const isLine = depth === 0 ? /[A-Za-z0-9]/.test(line) : /\w\W{0,4}\d|\[\w+\]/.test(line);
  return { layer: isLine ? 'log line' : null, fidelity: 'exact', url };
}
