import { Send } from 'lucide-react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { CallCopies } from '#renderer/calls/copy-call.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { CallDetail, type CallDetailProps } from './call-detail.tsx';
import { CallVerbs } from './call-verbs.tsx';
import { PendingCall } from './pending-call.tsx';
import { PageFrame } from '#renderer/ui/page-frame.tsx';

export interface ResponsePaneProps extends Omit<CallDetailProps, 'call'> {
  /** Other ways to begin; absent once something was sent. */
  readonly beginnings?: readonly { readonly title: string; readonly begin: () => void }[] | undefined;
  /** The last call of the tab; null if nothing was sent yet. */
  readonly call: Call | null;
  /** True if a call is remembered and not loaded yet. */
  readonly loading: boolean;
  /** Start of the call under way in milliseconds since the epoch; null without one. */
  readonly waitingSince: number | null;
  /** True once the call under way is recorded and leaves: before, Croupier prepares it. */
  readonly left: boolean;
  /** True if the user cancelled the call under way. */
  readonly cancelled: boolean;
  readonly onCancel: () => void;
  readonly copies: CallCopies;
  /** Opens a call as a request that is signed again. */
  readonly onEdit: (call: Call) => void;
  /** Sends the bytes of a call once more. */
  readonly onRepeat: (id: number) => void;
  /** Keeps the response as an example of its request; absent if that has no file. */
  readonly onKeep: (() => void) | undefined;
}

/** Shows the response of a tab's last call, or what replaces it. */
export function ResponsePane(props: ResponsePaneProps) {
  const { call, loading, waitingSince, left, cancelled, onCancel, beginnings } = props;
  return (
    <PageFrame className="scrolls" label="Response" pane="response">
      <h2 className="visually-hidden">Response</h2>
      {waitingSince !== null ? (
        <PendingCall since={waitingSince} left={left} cancelled={cancelled} onCancel={onCancel} />
      ) : call === null ? (
        loading ? null : (
          <EmptyState
            icon={<Send />}
            title="No response yet"
            action={beginnings?.map(({ title, begin }) => (
              <Button key={title} variant="quiet" onClick={begin}>
                {title}
              </Button>
            ))}
          />
        )
      ) : call.state === 'pending' ? (
        <PendingCall since={call.sentAt} onCancel={null} />
      ) : (
        <>
          <CallDetail key={call.id} {...props} call={call} />
          <CallVerbs
            call={call}
            copies={props.copies}
            onEdit={props.onEdit}
            onRepeat={props.onRepeat}
            onKeep={call.response === null ? undefined : props.onKeep}
          />
        </>
      )}
    </PageFrame>
  );
}
