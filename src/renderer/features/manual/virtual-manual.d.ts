/** The pages of `docs/`, which the build makes: `scripts/manual-pages.mjs`. */
declare module 'virtual:manual' {
  import type { ManualPage } from '#renderer/features/manual/page-tree.ts';

  export const pages: readonly ManualPage[];
  /** Addresses of the pictures by the names of their files. */
  export const images: Readonly<Record<string, string>>;
}
