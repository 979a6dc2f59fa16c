import type { OpenPoint } from '#shared/provider/index.ts';
/** What an editor of an answer needs: the text recorded or being typed, and where the next one goes. */
export interface EditorProps {
  readonly point: OpenPoint;
  readonly text: string;
  /** Why the text cannot be recorded; null while it can, or while there is none. */
  readonly problem: string | null;
  readonly onText: (text: string) => void;
}
