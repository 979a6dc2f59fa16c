// Gives the SDK of the Model Context Protocol a zod of its own in the bundle. It uses all of zod, and modules that two parts of a program share
// are one file: every other command would load what only this one needs.

/** Ends the IDs of its modules. */
export const ownMark = '?mcp';

/** @returns {import('vite').Plugin} */
export function ownZod() {
  return {
    name: 'own-zod',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const isOwn = importer?.endsWith(ownMark) === true;
      if (!isOwn && !(importer?.includes('@modelcontextprotocol') === true && /^zod(?:\/|$)/.test(source))) return null;
      const found = await this.resolve(source, importer.replace(ownMark, ''), { ...options, skipSelf: true });
      return found === null ? null : { ...found, id: `${found.id}${ownMark}` };
    },
  };
}
