/** Inputs from outside that could stop the program: each is done in a process of its own, or one after the other with its kind. */
import type { TestApp } from '#testing/app.ts';
import { fileInputs, largeFile } from './file-inputs.ts';
import { draftOf } from '#testing/app.ts';
import type { Environment, Input } from '#shared/ipc/index.ts';

/** Tools that an input is done with. */
export interface InputTools {
  readonly test: TestApp;
  /** An environment whose provider responds with the input's body. */
  readonly environment: Environment;
  /** A collection that is open. */
  readonly collectionId: string;
  /** An empty folder. */
  readonly folder: string;
}

/** One input. */
export interface HostileInput {
  readonly name: string;
  /** Returns the provider's response, made in another process; absent if nothing is sent. */
  readonly body?: () => Buffer;
  readonly gzip?: boolean;
  /** Runs before the measure begins. */
  readonly prepare?: (tools: InputTools) => Promise<void>;
  /** Does what a user does with it; returns the result in a few words. */
  readonly work: (tools: InputTools) => Promise<string>;
  /** Begins the same and stops it; returns the milliseconds from the stop to the end. Absent if it cannot be stopped. */
  readonly cancel?: (tools: InputTools) => Promise<number>;
}

const megabyte = 1_000_000;

/** Sends gameList and describes how its response was read. */
export async function sendGameList({ test, environment }: InputTools): Promise<string> {
  const draft = draftOf(environment.id, { operation: 'gameList', form: 'main', text: '{"currency":"EUR"}' });
  const call = await test.send(draft);
  const [finding] = call.findings;
  return `${call.failure?.kind ?? `code ${call.code}`}${finding === undefined ? '' : `: ${finding.message.slice(0, 70)}`}`;
}

/** Stops a call as soon as its response begins to be read. */
async function stopSending({ test, environment }: InputTools): Promise<number> {
  const draft = draftOf(environment.id, { operation: 'gameList', form: 'main', text: '{"currency":"EUR"}' });
  const sent = test.client.call('calls.send', { draft, ticket: 'stop', confirmed: false });
  await new Promise((resolve) => setTimeout(resolve, 150));
  const begun = performance.now();
  await test.client.call('calls.cancel', { ticket: 'stop' });
  await sent;
  return performance.now() - begun;
}

async function check(tools: InputTools, expect: readonly unknown[], take: Record<string, string> = {}): Promise<string> {
  const { test, collectionId } = tools;
  const { calls } = await test.client.call('calls.list', { limit: 1 });
  const input = { collectionId, path: 'a', callId: calls[0]?.id ?? 0, expect, take };
  const { checks } = await test.client.call('answers.check', input as Input<'answers.check'>);
  return `${checks.filter(({ passed }) => passed).length} of ${checks.length} passed: ${checks[0]?.message.slice(0, 60) ?? ''}`;
}

const evil = JSON.stringify({ code: 0, message: 'ok', data: { slots: [] }, a: `${'a'.repeat(60)}!` });

/** Responses that could stop the program. */
export const responseInputs: readonly HostileInput[] = [
  {
    name: '15 checks with a slow regular expression',
    body: () => Buffer.from(evil),
    prepare: async (tools) => void (await sendGameList(tools)),
    work: (tools) =>
      check(
        tools,
        Array.from({ length: 15 }, () => ({ path: '/a', matches: '^(a+)+$' })),
      ),
  },
  {
    name: 'a response of 19.5 MB of empty objects',
    body: () => Buffer.from(`{"code":0,"message":"ok","data":{"slots":[${'{},'.repeat(6_500_000)}{}]}}`),
    work: sendGameList,
    cancel: stopSending,
  },
  {
    name: 'a response of 19 MB of nested JSON',
    body: () => Buffer.from(`{"code":0,"message":"ok","data":${'{"a":['.repeat(2_300_000)}${']}'.repeat(2_300_000)}}`),
    work: sendGameList,
    cancel: stopSending,
  },
  {
    name: 'a list of 10,000 games with 50 bets each',
    body: () => Buffer.from(gameList(10_000)),
    work: sendGameList,
    cancel: stopSending,
  },
  {
    name: 'the same list again, with checks and a value taken',
    body: () => Buffer.from(gameList(10_000)),
    prepare: async (tools) => void (await sendGameList(tools)),
    work: (tools) =>
      check(tools, [{ code: '0' }, { path: '$..id', atLeast: '1' }, { path: '$.data.slots[?search(@.gameName, "9$")]' }], {
        last: '$.data.slots[-1].id',
      }),
  },
  {
    name: 'a text of 19 MB in one value',
    body: () => Buffer.from(`{"code":0,"message":"ok","data":{"slots":[]},"token":"${'ż\\u0105'.repeat(2_300_000)}"}`),
    prepare: async (tools) => void (await sendGameList(tools)),
    work: (tools) => check(tools, [{ path: '/token', contains: 'x' }]),
  },
];

function gameList(games: number): string {
  const slots = Array.from({ length: games }, (_, id) => ({
    id: id + 1,
    gameName: `Golden Orchard ${id}`,
    bets: Array.from({ length: 50 }, (_unused, k) => (k + 1) * 0.25),
    thumbnail: `https://cdn.example/games/${id}/thumb_320x240.webp?v=${id}&token=t${id % 7}`,
    status: 1,
  }));
  return JSON.stringify({ code: 0, message: 'ok', data: { slots } });
}

/** Returns an input by its name, of every kind. */
export function inputByName(name: string): HostileInput {
  const found = [...responseInputs, largeFile, ...fileInputs, ...monsters(mostMonsters, seed)].find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no input ${name}`);
  return found;
}

export const mostMonsters = 50;
export const seed = 13;

/** Returns generated monsters, the same for the same seed. */
export function monsters(count: number, first: number): HostileInput[] {
  let state = first;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state % below;
  };
  return Array.from({ length: count }, (_, at) => {
    const kind = kinds[at % kinds.length] as Kind;
    const size = (1 + random(19)) * megabyte;
    const salt = random(1_000);
    return {
      name: `monster ${at + 1}, ${kind.name}, ${size / megabyte} MB`,
      body: () => kind.make(size, salt),
      work: sendGameList,
    };
  });
}

interface Kind {
  readonly name: string;
  readonly make: (size: number, salt: number) => Buffer;
}

const around = (inner: string) => Buffer.from(`{"code":0,"message":"ok","data":{"slots":[${inner}]}}`);
const many = (piece: string, size: number) => piece.repeat(Math.floor(size / Buffer.byteLength(piece)));

const kinds: readonly Kind[] = [
  { name: 'empty arrays', make: (size) => around(`${many('[],', size)}[]`) },
  { name: 'numbers', make: (size) => around(`${many('1,', size)}1`) },
  { name: 'deep arrays', make: (size) => around('['.repeat(size / 2) + ']'.repeat(size / 2)) },
  { name: 'arrays that never close', make: (size) => Buffer.from('['.repeat(size)) },
  { name: 'a number of many digits', make: (size, salt) => around(`{"id":${salt + 1}${'7'.repeat(size)}}`) },
  { name: 'long texts', make: (size, salt) => around(`${many(`"${'x'.repeat(10_000 + salt)}",`, size)}""`) },
  { name: 'escapes', make: (size) => around(`"${many('\\u00e9\\"', size)}"`) },
  { name: 'characters of two bytes', make: (size) => around(`"${many('ż', size)}"`) },
  { name: 'one name again and again', make: (size) => around(`{${many('"id":1,', size)}"id":2}`) },
  { name: 'other names each', make: (size, salt) => around(`{${names(size, salt)}"id":2}`) },
  { name: 'games with everything else', make: (size) => Buffer.from(gameList(Math.floor(size / 420))) },
  { name: 'a message', make: (size) => Buffer.from(`{"code":7,"message":"${'m'.repeat(size)}","data":null}`) },
  { name: 'a page of HTML', make: (size) => Buffer.from(`<html>${many('<p class="a">[{</p>', size)}`) },
  { name: 'JSON that breaks at its end', make: (size) => Buffer.from(`{"code":0,"data":[${many('"abcdefgh",', size)}}`) },
  { name: 'bytes that are no UTF-8', make: (size) => Buffer.concat([around(many('"a",', size)), Buffer.from([0xff])]) },
  { name: 'queries of tokens', make: (size) => around(`"${many('?token', size)}"`) },
  { name: 'quotes behind backslashes', make: (size) => Buffer.from(`{"a":"${many('\\"', size)}`) },
];

function names(size: number, salt: number): string {
  const parts: string[] = [];
  for (let length = 0, at = salt; length < size; at += 1) {
    const part = `"n${at}":${at},`;
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}
