import { useStore } from 'zustand';
import { Copy } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Menu } from '#renderer/ui/menu.tsx';
import { copyItems, type CallCopies } from './copy-call.ts';

/** The button with the forms in which one call is copied or saved. `signed`: the call has a hash input. */
export function CopyMenu({
  callId,
  signed,
  copies,
  variant = 'plain',
}: {
  readonly callId: number;
  readonly signed: boolean;
  readonly copies: CallCopies;
  readonly variant?: 'plain' | 'quiet';
}) {
  const copying = useStore(copies);
  return (
    <Menu
      align="end"
      trigger={
        <Button variant={variant} icon={<Copy />}>
          {copying.target === 'clipboard' ? 'Copy as' : 'Save as'}
        </Button>
      }
      items={copyItems(copying, signed, (form) => startWork(copying.run(callId, form)))}
    />
  );
}
