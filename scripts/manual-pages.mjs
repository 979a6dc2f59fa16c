// The pages of docs/ as part of the built page: `virtual:manual` has them as trees, with the addresses of their pictures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { markdownTree, plainText } from './markdown-tree.mjs';

/**
 * Returns the pages below `docs`, each with its name, title and blocks, and the files of their pictures by name. Throws if Markdown cannot be
 * shown, and if a link leads to no page, heading, picture or file.
 * @param {string} root
 * @returns {{ pages: import('../src/renderer/features/manual/page-tree.ts').ManualPage[], images: Map<string, string> }}
 */
export function readManual(root) {
  const docs = path.join(root, 'docs');
  const files = readdirSync(docs).filter((file) => file.endsWith('.md'));
  const names = new Set(files.map(nameOf));
  /** @type {Map<string, string>} */
  const images = new Map();
  const faults = [];
  const links = [];

  function imageOf(file) {
    const place = path.join(docs, file);
    if (!existsSync(place)) throw new Error(`There is no picture ${file}.`);
    const name = path.basename(file);
    images.set(name, place);
    return { file: name, ...sizeOf(readFileSync(place)) };
  }

  const resolving = (page) => ({
    image(file) {
      const [, stem, theme] = /^(.*)-(light|dark)\.png$/.exec(file) ?? [];
      if (theme === undefined) return { light: imageOf(file), dark: null };
      return { light: imageOf(`${stem}-light.png`), dark: imageOf(`${stem}-dark.png`) };
    },
    link(address) {
      if (address.startsWith('https:')) return { url: address };
      const [, file = '', heading = null] = /^([^#]*)(?:#(.+))?$/.exec(address) ?? [];
      const name = file === '' ? page : file.endsWith('.md') && !file.includes('/') ? nameOf(file) : null;
      if (name !== null && names.has(name)) {
        links.push({ page, address, name, heading });
        return { page: name, heading };
      }
      // A decision or a source file: the help has only its name.
      if (!existsSync(path.join(docs, file))) throw new Error(`The link ${address} leads nowhere.`);
      return null;
    },
  });

  const pages = files.map((file) => {
    const name = nameOf(file);
    try {
      const blocks = markdownTree(readFileSync(path.join(docs, file), 'utf8'), resolving(name));
      const [first] = blocks;
      if (first?.kind !== 'heading' || first.level !== 1) throw new Error('It does not begin with its title.');
      return { name, title: plainText(first.text), blocks };
    } catch (error) {
      faults.push(`docs/${file}: ${error.message}`);
      return { name, title: name, blocks: [] };
    }
  });
  const ids = new Map(pages.map(({ name, blocks }) => [name, new Set(blocks.map(({ id }) => id))]));
  for (const { page, address, name, heading } of links)
    if (heading !== null && !ids.get(name)?.has(heading)) faults.push(`docs/${page}.md: There is no heading ${address}.`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { pages, images };
}

/**
 * Makes `virtual:manual`, which the help loads when it is first opened.
 * @param {string} root
 * @returns {import('vite').Plugin}
 */
export function manualPages(root) {
  const asked = 'virtual:manual';
  return {
    name: 'manual-pages',
    resolveId: (id) => (id === asked ? `\0${asked}` : null),
    load(id) {
      if (id !== `\0${asked}`) return null;
      const { pages, images } = readManual(root);
      for (const { name } of pages) this.addWatchFile(path.join(root, 'docs', `${name}.md`));
      const entries = [...images];
      // A browser reads a long literal faster as JSON.
      return [
        ...entries.map(([, file], at) => `import image${at} from ${JSON.stringify(`${file}?url`)};`),
        `export const images = { ${entries.map(([name], at) => `${JSON.stringify(name)}: image${at}`).join(', ')} };`,
        `export const pages = JSON.parse(${JSON.stringify(JSON.stringify(pages))});`,
      ].join('\n');
    },
  };
}

const nameOf = (file) => path.basename(file, '.md');

/** Returns the size of a PNG in pixels: a page keeps the room of a picture that has not come yet. */
function sizeOf(png) {
  if (png.toString('latin1', 1, 4) !== 'PNG') throw new Error('A picture is not a PNG.');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
