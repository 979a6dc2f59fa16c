import type { OwnFolder } from '#core/host/own-folder.ts';
import { AppError } from '#shared/errors.ts';
import { keptPartIn, type KeptPart } from '#shared/ipc/kept-part.ts';
import { pageHeaders } from '#shared/page-policy.ts';
import { listPageFiles } from '../process/page-files.ts';
import { pageHost, pageScheme } from './page-origin.ts';

/** Answers one request of the page's own scheme. */
export type PageHandler = (request: { readonly url: string; readonly method: string }) => Promise<Response>;

/**
 * Returns the handler of the built page's scheme. Fails with `not_found` if the page is not built.
 * `/body/<id>` is the response body of a call, `/raw/<id>` and `/sentRaw/<id>` the bytes as they came, `/picture/<id>` a picture that core keeps; `policy` returns the present content security policy.
 */
export async function createPageHandler(options: {
  folder: OwnFolder;
  policy: () => string;
  body: (callId: number, part: KeptPart) => Promise<Uint8Array>;
  picture: (id: string) => Promise<Uint8Array>;
}): Promise<PageHandler> {
  const files = await listPageFiles(options.folder);

  function respond(status: number, body: Uint8Array<ArrayBuffer> | null, headers: Record<string, string>): Response {
    return new Response(body, { status, headers: { ...pageHeaders(options.policy()), ...headers } });
  }

  return async ({ url, method }) => {
    const target = URL.parse(url);
    const plain = { 'content-type': 'text/plain; charset=utf-8' };
    if (target === null || target.protocol !== `${pageScheme}:` || target.host !== pageHost) return respond(404, null, plain);
    if (method !== 'GET') return respond(405, null, plain);
    const received = keptPartIn(target.pathname);
    const pictureId = /^\/picture\/([0-9a-f]{64})$/.exec(target.pathname)?.[1];
    const asked =
      received !== null
        ? () => options.body(received.callId, received.part)
        : pictureId === undefined
          ? null
          : () => options.picture(pictureId);
    if (asked !== null) {
      try {
        const bytes = await asked();
        // Never interpreted as a document of this origin.
        return respond(200, new Uint8Array(bytes), { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' });
      } catch (error) {
        return respond(error instanceof AppError && error.code === 'not_found' ? 404 : 500, null, plain);
      }
    }
    const file = files.get(target.pathname);
    const bytes = await file?.read();
    if (file === undefined || !bytes) return respond(404, null, plain);
    return respond(200, bytes, { 'content-type': file.type, 'cache-control': file.caching });
  };
}
