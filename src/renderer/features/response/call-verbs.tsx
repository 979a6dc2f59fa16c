import { BookmarkPlus, EyeOff, FilePen, KeyRound, Repeat, Route } from 'lucide-react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { maskedInCall } from '#shared/calls/pack-words.ts';
import { replacedText } from '#shared/calls/replaced.ts';
import { keyInResponseRule, keyMark } from '#shared/secrets/key-mark.ts';
import type { CallCopies } from '#renderer/calls/copy-call.ts';
import { CopyMenu } from '#renderer/calls/copy-menu.tsx';
import { repeatedText } from '#renderer/calls/repeat-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import styles from './call-verbs.module.css';

/** Says of an exact repeat whose bytes it has; nothing for any other call. */
export function RepeatNote({ call, onOpenCall }: { readonly call: Call; readonly onOpenCall: (id: number) => void }) {
  const { repeats } = call;
  if (repeats === null) return null;
  return (
    <p className="bar on-warn small">
      <Repeat />
      <span>{repeatedText(call)}</span>
      {call.pack === undefined ? (
        <button type="button" className="link strong" onClick={() => onOpenCall(repeats)}>
          Open call {repeats}
        </button>
      ) : null}
    </p>
  );
}

/** Says of a call which settings of its environment were replaced; nothing for any other call. */
export function ReplacedNote({ call }: { readonly call: Call }) {
  const text = replacedText(call);
  if (text === null) return null;
  return (
    <p className="bar on-warn small">
      <Route />
      <span className="grow ink">{text}</span>
    </p>
  );
}

/**
 * Says of a call that its request or its response held a private key, which is masked, and of one in a support pack what that masks; nothing for any
 * other call.
 */
export function MaskedNote({ call }: { readonly call: Call }) {
  const { maskedKeys, findings } = call;
  const leak = findings.find(({ rule }) => rule === keyInResponseRule);
  const sent =
    maskedKeys === undefined
      ? null
      : `This request contained the private key of ${maskedKeys.join(' and ')}. The history masks it as ${keyMark}, so you can't repeat the call exactly, and sizes are those of the masked request.`;
  const notes = [
    { text: sent, Icon: KeyRound },
    { text: leak?.message ?? null, Icon: KeyRound },
    { text: maskedInCall(call), Icon: EyeOff },
  ];
  return notes.map(({ text, Icon }) =>
    text === null ? null : (
      <p key={text} className="bar on-warn small">
        <Icon />
        <span className="grow ink">{text}</span>
      </p>
    ),
  );
}

/** Returns the call without the findings that `MaskedNote` shows already. */
export function withoutNoted(call: Call): Call {
  return { ...call, findings: call.findings.filter(({ rule }) => rule !== keyInResponseRule) };
}

/** Actions on a call: copying it, keeping its response, and the two ways to send it again. */
export function CallVerbs({
  call,
  copies,
  onEdit,
  onRepeat,
  onKeep,
}: {
  readonly call: Call;
  readonly copies: CallCopies;
  /** Opens it as a request of its own, to be signed again with a fresh time. */
  readonly onEdit: (call: Call) => void;
  /** Sends the same bytes. */
  readonly onRepeat: (id: number) => void;
  /** Keeps its response beside its request; absent if the request has no file, or there is no response. */
  readonly onKeep?: (() => void) | undefined;
}) {
  return (
    <div className={styles.verbs} role="group" aria-label={`Call ${call.id}`}>
      {onKeep === undefined ? null : (
        <Button variant="quiet" icon={<BookmarkPlus />} onClick={onKeep}>
          Save as example…
        </Button>
      )}
      <CopyMenu callId={call.id} signed={call.request.hashInput !== null} copies={copies} variant="quiet" />
      <Button variant="quiet" icon={<FilePen />} onClick={() => onEdit(call)}>
        Edit and re-sign
      </Button>
      {call.maskedKeys === undefined ? (
        <Button variant="quiet" icon={<Repeat />} onClick={() => onRepeat(call.id)}>
          Repeat exactly
        </Button>
      ) : null}
    </div>
  );
}
