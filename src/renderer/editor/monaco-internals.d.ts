/** Modules of Monaco that it exports without types. */
declare module 'monaco-editor/editor/common/languages' {
  import type { Tokenizers } from '#renderer/editor/token-memory.ts';

  export const TokenizationRegistry: Tokenizers;
}

declare module 'monaco-editor/languages/features/json/tokenization' {
  import type { languages } from 'monaco-editor/editor';

  export const createTokenizationSupport: (supportComments: boolean) => languages.TokensProvider;
}

// Of its models alone, which need no page: for tests.
declare module 'monaco-editor/editor/common/*' {
  type Made = new (...args: readonly unknown[]) => never;
  export const LanguageService: Made;
  export const TextModel: Made & { readonly DEFAULT_CREATION_OPTIONS: object };
  export const Position: Made;
  export const Range: { readonly fromPositions: (start: never, end: never) => never };
  export const EndOfLineSequence: object;
}
declare module 'monaco-editor/platform/undoRedo/common/undoRedoService' {
  export const UndoRedoService: new (...args: readonly unknown[]) => never;
}
declare module 'monaco-editor/base/common/uri' {
  export const URI: object;
}
