import type { ProductionQuestion } from '#shared/ipc/outputs/production.ts';
import { questionWords } from '#shared/production/words.ts';
import { Button } from '#renderer/ui/button.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';

/** Puts core's question before a call or a run goes to production: what it does there, where it goes, and as whom. */
export function ConfirmSend({
  question,
  onConfirm,
  onClose,
}: {
  /** Null for none. */
  readonly question: ProductionQuestion | null;
  readonly onConfirm: (confirmed: true | 'tenMinutes') => void;
  readonly onClose: () => void;
}) {
  if (question === null) return null;
  const { environment, url, run, gateway } = question;
  const { title, consequences, action, grants } = questionWords(question);
  const verb = gateway === true ? 'Pass' : run === null ? 'Send' : 'Run';
  return (
    <Dialog
      onClose={onClose}
      tone="bad"
      title={title}
      description={
        <div className="stack">
          <div className="stack-tight strong ink">
            {consequences.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
          <p className="line">
            <ColorMark color={environment.color} production />
            <span>
              {environment.name}, production, platform {environment.platform}, partner {environment.partnerId}
            </span>
          </p>
          <p className="code">{url}</p>
        </div>
      }
      actions={
        <>
          <Button onClick={onClose}>Don&apos;t {verb.toLowerCase()}</Button>
          {grants ? <Button onClick={() => onConfirm('tenMinutes')}>{verb}, and don&apos;t ask for 10 minutes</Button> : null}
          <Button variant="primary" onClick={() => onConfirm(true)}>
            {action}
          </Button>
        </>
      }
    />
  );
}
