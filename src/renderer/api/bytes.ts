import { AppError } from '#shared/errors.ts';

/** Path of the bytes of a response's body, and the message if they are not there any more. */
export const bodyBytes = (callId: number) => ({
  path: `/body/${callId}`,
  missing: 'The body of this response is not there any more.',
});
export const pictureBytes = (id: string) => ({ path: `/picture/${id}`, missing: 'This picture is not kept any more.' });
export type BytesPlace = ReturnType<typeof bodyBytes>;

/** Returns the bytes of the response to a fetch. Fails with `not_found`. */
export async function bytesIn(response: Response, { missing }: BytesPlace): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok) throw new AppError('not_found', missing);
  return new Uint8Array(await response.arrayBuffer());
}
