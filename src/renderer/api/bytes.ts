import { AppError } from '#shared/errors.ts';
import type { ReceivedPart } from '#shared/ipc/received-part.ts';

/** Path of a part of what came for a call, and the message if it is not there any more. */
export const receivedBytes = (callId: number, part: ReceivedPart = 'body') => ({
  path: `/${part}/${callId}`,
  missing: 'This response is not there any more.',
});
export const pictureBytes = (id: string) => ({ path: `/picture/${id}`, missing: 'This picture is not kept any more.' });
export type BytesPlace = ReturnType<typeof receivedBytes>;

/** Returns the bytes of the response to a fetch. Fails with `not_found`. */
export async function bytesIn(response: Response, { missing }: BytesPlace): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok) throw new AppError('not_found', missing);
  return new Uint8Array(await response.arrayBuffer());
}
