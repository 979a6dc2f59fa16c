/** Hands bytes to the browser as a file to save, exactly as they are. */
export function saveBytes(page: Document, bytes: Uint8Array, name: string): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
  const link = page.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the blob once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
