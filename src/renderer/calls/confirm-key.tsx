import type { KeyQuestion } from '#shared/secrets/key-question.ts';
import { keyQuestionWords } from '#shared/secrets/key-question.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';

/** Puts core's question before a request leaves that holds a private key. */
export function ConfirmKey({
  question,
  onConfirm,
  onClose,
}: {
  /** Null for none. */
  readonly question: KeyQuestion | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  if (question === null) return null;
  const { title, consequences, action } = keyQuestionWords(question);
  return (
    <Dialog
      onClose={onClose}
      tone="bad"
      title={title}
      description={
        <div className="stack">
          {consequences.map((sentence, at) => (
            <p key={sentence} className={at === 0 ? 'stack-tight strong ink' : undefined}>
              {sentence}
            </p>
          ))}
          <p className="code">{question.url}</p>
        </div>
      }
      actions={
        <>
          <Button variant="primary" onClick={onClose}>
            Don&apos;t send
          </Button>
          <Button onClick={onConfirm}>{action}</Button>
        </>
      }
    />
  );
}
