import type { OpenPoint } from '#shared/provider/index.ts';
/** Input of an answer's editor: the text that is recorded or being typed, and the callback for the next one. */
export interface EditorProps {
  readonly point: OpenPoint;
  readonly text: string;
  /** The reason why the text cannot be recorded; null while it can, and without a text. */
  readonly problem: string | null;
  readonly onText: (text: string) => void;
}
