/** One file of a picture. */
interface ImageFile {
  readonly file: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The goal of a link: a page and its heading, or null for the page's begin; or an address outside. */
export type LinkGoal = { readonly page: string; readonly heading: string | null } | { readonly url: string };

/** Text, or a part of one with a form of its own. */
export type Inline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly text: readonly Inline[] }
  | { readonly kind: 'link'; readonly to: LinkGoal; readonly text: readonly Inline[] }
  /** `dark` is the picture for the dark theme, or null if one serves both. */
  | { readonly kind: 'image'; readonly alt: string; readonly light: ImageFile; readonly dark: ImageFile | null };

/** A block of a page, as `scripts/markdown-tree.mjs` makes it of Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly text: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  /** `start` is the first number, or null for a list without numbers. */
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/** A page of `docs/`. Its first block is its title. */
export interface ManualPage {
  /** The name of its file without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Returns the text of inline nodes without their form. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if (node.kind === 'image') return node.alt;
      return node.kind === 'code' ? node.text : plainText(node.text);
    })
    .join('');
}
