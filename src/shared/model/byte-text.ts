/** Names a byte by its position, as `byte 1,234`. Bytes count from 0 in every sentence, lines and columns from 1. */
export function byteText(position: number): string {
  return `byte ${position.toLocaleString('en')}`;
}
