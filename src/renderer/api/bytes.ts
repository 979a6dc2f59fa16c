import { AppError } from '#shared/errors.ts';
import type { KeptPart } from '#shared/ipc/kept-part.ts';

/** Path of a part of a call that is bytes, and the message if it is not there any more. */
export const receivedBytes = (callId: number, part: KeptPart = 'body') => ({
  path: `/${part}/${callId}`,
  missing: 'This call no longer exists.',
});
export const pictureBytes = (id: string) => ({ path: `/picture/${id}`, missing: 'This picture no longer exists.' });
export type BytesPlace = ReturnType<typeof receivedBytes>;

/** Returns the bytes of the response to a fetch. Fails with `not_found`. */
export async function bytesIn(response: Response, { missing }: BytesPlace): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok) throw new AppError('not_found', missing);
  return new Uint8Array(await response.arrayBuffer());
}

/** Reads a file that the user chose or dropped. Fails with `invalid_input` for one that cannot be read, such as a folder. */
export async function bytesOfFile(file: Pick<File, 'arrayBuffer'>, name = 'This file'): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new AppError('invalid_input', `${name} cannot be read. If it is a folder, choose a file in it.`);
  }
}

/** Reads the text of such a file, which is called `name`. Fails as `textOfFile` does, too. */
export async function textIn(file: Pick<File, 'name' | 'arrayBuffer'>, name = file.name): Promise<string> {
  // What a start of the page does not need.
  const { textOfFile } = await import('#shared/json/file-text.ts');
  return textOfFile(await bytesOfFile(file, name), name).text;
}

/** Encodes bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}
