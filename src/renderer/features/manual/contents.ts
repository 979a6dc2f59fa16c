/** The pages of the help in the order of their list; a test compares them with the files of `docs/`. */
export const contents = [
  { title: 'Learn', pages: ['install', 'requests', 'signing', 'environments', 'networks', 'sandbox', 'history'] },
  {
    title: 'Do',
    pages: [
      'launching',
      'launches',
      'rounds',
      'doctor',
      'gateway',
      'wallet',
      'comparison',
      'collections',
      'variables',
      'checks',
      'runs',
      'ci',
      'import-export',
      'exports',
      'deletion',
    ],
  },
  {
    title: 'Look up',
    pages: [
      'command-line',
      'mcp',
      'settings',
      'keyboard',
      'your-data',
      'production',
      'open-points',
      'secrets',
      'security',
      'ways-out',
    ],
  },
  { title: 'About Croupier', pages: ['figures', 'dependencies', 'real-electron', 'release'] },
] as const;

/** The name of a page: that of its file without `.md`. */
export type PageName = (typeof contents)[number]['pages'][number];

/** Returns whether a link's page is one of the help. */
export function isPageName(name: string): name is PageName {
  return contents.some(({ pages }) => pages.some((page) => page === name));
}
