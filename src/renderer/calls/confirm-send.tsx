import type { Environment } from '#shared/ipc/environments.ts';
import type { Operation } from '#shared/provider/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';

/** Asks before the first call of this run to a production environment. */
export function ConfirmSend(props: {
  readonly open: boolean;
  readonly environment: Environment | null;
  readonly operation: Operation;
  readonly url: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { open, environment, operation, url, onConfirm, onClose } = props;
  const name = environment?.name ?? 'This environment';
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      tone="bad"
      width="small"
      title={`Send to ${name}, a production environment`}
      description={
        <>
          <p>
            {operation.effect === 'write'
              ? `${operation.name} can change real players' data at the provider.`
              : `${operation.name} only reads, and it goes to the real system.`}
          </p>
          <p className="code">{url}</p>
          <p>Asked once per run of the workbench; further calls to {name} are sent right away.</p>
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>Do not send</Button>
          <Button variant="primary" onClick={onConfirm}>
            Send to {name}
          </Button>
        </>
      }
    />
  );
}
