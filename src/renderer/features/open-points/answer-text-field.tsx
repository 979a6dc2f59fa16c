import { Field } from '#renderer/ui/field.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';

/** The text of an answer as it is recorded, for an answer that no table can show. */
export function AnswerTextField({
  text,
  problem,
  onText,
}: {
  text: string;
  problem: string | null;
  onText: (text: string) => void;
}) {
  return (
    <Field layout="stack" label="Answer text" error={problem}>
      <TextArea code rows={6} value={text} maxLength={20_000} onText={onText} />
    </Field>
  );
}
