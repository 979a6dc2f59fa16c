/** Hands a text to the browser as a file to save. */
export function saveText(page: Document, name: string, text: string, mediaType = 'text/html;charset=utf-8'): void {
  save(page, name, new Blob([text], { type: mediaType }));
}

/** Gathers a file piece by piece. A browser keeps large blobs on its disk, so no piece stays in the page's memory. */
export function gatherFile(page: Document, name: string, mediaType: string): { add(text: string): void; save(): void } {
  const pieces: Blob[] = [];
  return {
    add: (text) => {
      pieces.push(new Blob([text]));
    },
    save: () => save(page, name, new Blob(pieces, { type: mediaType })),
  };
}

/** Hands bytes to the browser as a file to save, exactly as they are. */
export function saveBytes(page: Document, bytes: Uint8Array, name: string): void {
  save(page, name, new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
}

/** Hands a picture in a base64 `data:` URL to the browser as a file to save: as a blob, because the desktop saves nothing else. */
export function savePicture(page: Document, name: string, dataUrl: string): void {
  save(page, name, pictureBlob(dataUrl));
}

function save(page: Document, name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = page.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download holds the blob by itself once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Returns the picture of a base64 `data:` URL as a blob, which the browser keeps outside the page's memory. */
function pictureBlob(dataUrl: string): Blob {
  const comma = dataUrl.indexOf(',');
  const bytes = Uint8Array.from(atob(dataUrl.slice(comma + 1)), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: dataUrl.slice('data:'.length, dataUrl.lastIndexOf(';', comma)) });
}
