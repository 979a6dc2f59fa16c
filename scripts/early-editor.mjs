/**
 * Has a browser fetch the editor's code beside that of the page, which starts it once the shell is painted.
 * @returns {import('vite').Plugin}
 */
export function earlyEditor() {
  return {
    name: 'early-editor',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const chunk = Object.values(bundle ?? {}).find((one) => one.type === 'chunk' && one.name === 'monaco');
        if (chunk?.type !== 'chunk') return [];
        const link = (rel, file, attributes) => ({
          tag: 'link',
          attrs: { rel, href: `./${file}`, crossorigin: true, fetchpriority: 'low', ...attributes },
          injectTo: 'head',
        });
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
        return [link('modulepreload', chunk.fileName, {}), ...styles.map((file) => link('stylesheet', file, {}))];
      },
    },
  };
}
