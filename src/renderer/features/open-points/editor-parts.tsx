import { useId, type ReactNode } from 'react';
import type { OpenPoint } from '#shared/provider/index.ts';
import { Field } from '#renderer/ui/field.tsx';
import { Problem } from '#renderer/ui/problem.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';

/** Input of an answer's editor: the text that is recorded or being typed, and the callback for the next one. */
export interface EditorProps {
  readonly point: OpenPoint;
  readonly text: string;
  /** The reason why the text cannot be recorded; null while it can, and without a text. */
  readonly problem: string | null;
  readonly onText: (text: string) => void;
}

/** The controls of an answer, with its problem below them. */
export function EditorGroup({
  point,
  problem,
  className = 'stack',
  children,
}: Pick<EditorProps, 'point' | 'problem'> & { readonly className?: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" className={className} aria-label={point.title} aria-describedby={problem === null ? undefined : id}>
      {children}
      {problem === null ? null : (
        <Problem id={id} className="bad small">
          {problem}
        </Problem>
      )}
    </div>
  );
}

/** The text of an answer as it is recorded, for an answer that no table can show. */
export function AnswerTextField({ text, problem, onText }: Omit<EditorProps, 'point'>) {
  return (
    <Field layout="stack" label="Answer text" error={problem}>
      <TextArea code rows={6} value={text} maxLength={20_000} onText={onText} />
    </Field>
  );
}
