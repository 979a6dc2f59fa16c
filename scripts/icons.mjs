// The icons of every system, drawn from `resources/icon.svg`, which the page and Linux show as it is. electron-builder would fetch a tool for it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Types of the pictures in an icon for macOS by their sizes; those of 32, 64, 256 and 512 are of twice the pixels, too. */
const appleTypes = { 32: ['ic11'], 64: ['ic12'], 128: ['ic07'], 256: ['ic08', 'ic13'], 512: ['ic09', 'ic14'], 1024: ['ic10'] };
const windowsSizes = [16, 24, 32, 48, 64, 128, 256];

/** Writes the icons of Windows, macOS and the window on Linux into `folder`. */
export async function drawIcons(browser, folder) {
  const drawing = readFileSync(path.join(folder, 'icon.svg'), 'utf8');
  const page = await browser.newPage();
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${drawing}`);
  const draw = async (size) => {
    await page.setViewportSize({ width: size, height: size });
    return page.screenshot({ omitBackground: true });
  };
  const keep = (name, parts) => writeFileSync(path.join(folder, name), Buffer.concat(parts));
  keep('icon.png', [await draw(256)]);

  const pictures = [];
  for (const size of windowsSizes) pictures.push({ size, bytes: await draw(size) });
  const head = Buffer.from([0, 0, 1, 0, pictures.length, 0]);
  let offset = head.length + 16 * pictures.length;
  const entries = pictures.map(({ size, bytes }) => {
    const entry = Buffer.alloc(16);
    // 256 is written as 0.
    entry.set([size % 256, size % 256, 0, 0, 1, 0, 32, 0]);
    entry.writeUInt32LE(bytes.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += bytes.length;
    return entry;
  });
  keep('icon.ico', [head, ...entries, ...pictures.map(({ bytes }) => bytes)]);

  const chunk = (type, bytes) => {
    const start = Buffer.from(`${type}    `);
    start.writeUInt32BE(start.length + bytes.length, 4);
    return Buffer.concat([start, bytes]);
  };
  const chunks = [];
  for (const [size, types] of Object.entries(appleTypes)) {
    const bytes = await draw(Number(size));
    chunks.push(...types.map((type) => chunk(type, bytes)));
  }
  keep('icon.icns', [chunk('icns', Buffer.concat(chunks))]);
  await page.close();
}
