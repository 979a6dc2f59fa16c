/** Bytes at a time: a call takes only so many arguments. */
const most = 4_096;

/** Reads bytes as Latin-1. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += most) text += String.fromCharCode(...bytes.subarray(at, at + most));
  return text;
}
