/** Modules of Monaco that it exports without types. */
declare module 'monaco-editor/editor/common/languages' {
  import type { Tokenizers } from '#renderer/editor/token-memory.ts';

  export const TokenizationRegistry: Tokenizers;
}

declare module 'monaco-editor/languages/features/json/jsonMode';
