/** Hands a text to the browser as a file to save. */
export function saveText(page: Document, name: string, text: string, mediaType = 'text/html;charset=utf-8'): void {
  save(page, name, URL.createObjectURL(new Blob([text], { type: mediaType })));
}

/** Hands a picture in a `data:` address to the browser as a file to save. */
export function savePicture(page: Document, name: string, dataUrl: string): void {
  const link = page.createElement('a');
  link.href = dataUrl;
  link.download = name;
  link.click();
}

function save(page: Document, name: string, address: string): void {
  const link = page.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the blob once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
