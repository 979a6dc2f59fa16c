import type { ServerResponse } from 'node:http';
import { AppError } from '#shared/errors.ts';
import { pageHeaders } from '#shared/page-policy.ts';
import type { FramePage } from './game-frames.ts';
import type { PageFile } from '../process/page-files.ts';
import { failure } from './read-json.ts';

/** Writes the replies of the browser host. `headers` returns the headers of every reply that is not a frame of a game. */
export function createReplies(headers: () => Record<string, string>) {
  /** Serves a frame page without a session, because a frame cannot send its header, and the ticket is good for one load. */
  function giveFrame(response: ServerResponse, page: FramePage | null): void {
    if (page === null) return refuse(response, 404, 'This frame was already used, or is too old. Launch the game again.');
    response.writeHead(200, {
      ...pageHeaders(page.policy, { framesGames: true }),
      'x-frame-options': 'SAMEORIGIN',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(page.html);
  }

  /** Serves bytes that are never interpreted as a document of this origin. */
  function giveBytes(response: ServerResponse, bytes: Uint8Array): void {
    response.writeHead(200, {
      ...headers(),
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      'cache-control': 'no-store',
    });
    response.end(bytes);
  }

  async function giveFile(response: ServerResponse, file: PageFile | undefined): Promise<void> {
    const bytes = await file?.read();
    if (file === undefined || !bytes) return refuse(response, 404, 'Not here.');
    response.writeHead(200, {
      ...headers(),
      'content-type': file.type,
      'content-length': bytes.length,
      'cache-control': file.caching,
    });
    response.end(bytes);
  }

  function refuse(response: ServerResponse, status: number, reason: string): void {
    response.writeHead(status, {
      ...headers(),
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(`${reason}\n`);
  }

  function answer(response: ServerResponse, status: number, value: unknown, close = false): void {
    response.writeHead(status, {
      ...headers(),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(close ? { connection: 'close' } : {}),
    });
    response.end(JSON.stringify(value));
  }

  function answerFault(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (!(error instanceof AppError))
      return answer(response, 500, failure('internal', 'Something went wrong in the workbench.'), true);
    const reply = { ok: false as const, error: { code: error.code, message: error.message, details: error.details } };
    answer(response, error.code === 'not_found' ? 404 : 400, reply);
  }

  return { giveFrame, giveBytes, giveFile, refuse, answer, answerFault };
}
