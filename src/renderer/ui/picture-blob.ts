/** Returns the picture of a base64 `data:` URL as a blob, which the browser keeps outside the page's memory. */
export function pictureBlob(dataUrl: string): Blob {
  const comma = dataUrl.indexOf(',');
  const bytes = Uint8Array.from(atob(dataUrl.slice(comma + 1)), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: dataUrl.slice('data:'.length, dataUrl.lastIndexOf(';', comma)) });
}
