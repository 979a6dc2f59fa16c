/** A module of Monaco that it exports without types. */
declare module 'monaco-editor/editor/common/languages' {
  export const TokenizationRegistry: import('./token-memory.ts').Tokenizers;
}
