import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { ErrorReply } from '#shared/errors.ts';
import type { Reply } from '#shared/ipc/index.ts';
import { createJsonMeter, type JsonMeter } from '#shared/json/measure.ts';
import { beyond, readers, type Kind } from '#shared/model/readers.ts';

export type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** Size from which decoding and parsing are separate tasks, in bytes. */
const longBytes = 1_000_000;

/** A message from a page, as JSON. */
export type MessageKind = Exclude<Kind<'message'>, 'page.input'>;

/** Reads a body of JSON in UTF-8, measured as it arrives. Keeps nothing of a refused body, and keeps the connection open for the refusal. */
export async function readJson(kind: MessageKind, request: IncomingMessage): Promise<Read> {
  const { bytes: most } = readers[kind];
  const tooLarge = refused(413, `The request ${beyond(kind, { bytes: Number.POSITIVE_INFINITY })}`);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > most) return tooLarge;
  const meter = createJsonMeter();
  // One buffer if the length is known, because chunks and their concatenation would take the memory twice.
  let bytes: Buffer = Buffer.alloc(announced > 0 ? announced : 4_096);
  let size = 0;
  // Leaving the loop must not close the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (size + chunk.length > most) return tooLarge;
    meter.add(chunk);
    const excess = excessOf(kind, meter);
    if (excess !== null) return refused(413, excess);
    if (size + chunk.length > bytes.length) bytes = grown(bytes, size, size + chunk.length);
    size += chunk.copy(bytes, size);
  }
  return parse(bytes.subarray(0, size));
}

/** Reads JSON from complete bytes, as `readJson` does. */
export async function readBytes(kind: MessageKind, bytes: Uint8Array): Promise<Read> {
  if (bytes.length > readers[kind].bytes) return refused(413, `The request ${beyond(kind, { bytes: Number.POSITIVE_INFINITY })}`);
  const meter = createJsonMeter();
  for (let at = 0; at < bytes.length; at += longBytes) {
    if (at > 0) await setImmediate();
    meter.add(bytes.subarray(at, at + longBytes));
    const excess = excessOf(kind, meter);
    if (excess !== null) return refused(413, excess);
  }
  return parse(bytes);
}

async function parse(bytes: Uint8Array): Promise<Read> {
  try {
    const isLong = bytes.length > longBytes;
    if (isLong) await setImmediate();
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isLong) await setImmediate();
    const value: unknown = JSON.parse(text);
    if (isLong) await setImmediate();
    return { ok: true, value };
  } catch {
    return refused(400, 'The request is not JSON in UTF-8.');
  }
}

/** Returns the call in a parsed body, or the reason why there is none. */
export function callIn(
  read: Read,
):
  | { readonly ok: true; readonly name: string; readonly input: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string } {
  if (!read.ok) return read;
  const { value } = read;
  if (!isRecord(value) || typeof value['name'] !== 'string') return refused(400, 'A call needs a name and an input.');
  return { ok: true, name: value['name'], input: value['input'] };
}

export function failure(code: ErrorReply['code'], message: string): Reply {
  return { ok: false, error: { code, message } };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function excessOf(kind: MessageKind, { measure }: JsonMeter): string | null {
  const { depth, values } = readers[kind];
  // Further on there may be more.
  if (measure.depth <= depth && measure.values <= values) return null;
  const beyondIt = Number.POSITIVE_INFINITY;
  return `The request ${beyond(kind, measure.depth > depth ? { depth: beyondIt } : { values: beyondIt })}`;
}

function grown(bytes: Buffer, size: number, needed: number): Buffer {
  const larger = Buffer.alloc(Math.max(needed, bytes.length * 2));
  bytes.copy(larger, 0, 0, size);
  return larger;
}

function refused(status: number, message: string): { ok: false; status: number; message: string } {
  return { ok: false, status, message };
}
