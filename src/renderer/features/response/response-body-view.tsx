import { byteText } from '#shared/model/byte-text.ts';
import type { ReactNode } from 'react';
import { Braces, Download, FileWarning, ListPlus } from 'lucide-react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { KeptPart } from '#shared/ipc/kept-part.ts';
import { unreadFinding } from '#shared/provider/findings.ts';
import { ReadOnlyText } from '#renderer/editor/read-only-text.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { asReceived, size } from './response-facts.ts';
import type { ResponseBody } from './response-store.ts';
import { saveBytes } from '#renderer/ui/save-file.ts';
import styles from './response-pane.module.css';

/** Uses of a value of the response: a check of it, or a variable with it. */
export type ValueUse = 'check' | 'take';

const valueUses = [
  { as: 'check', label: 'Check the value at the cursor', command: 'checkValue', icon: <ListPlus /> },
  { as: 'take', label: 'Save the value as a variable', command: 'takeValue', icon: <Braces /> },
] as const;
const noActions = [] as const;

/** Number of bytes above which lines are not wrapped: breaking them would hold the page up. */
const WRAP_UP_TO = 1_000_000;

/** The body laid out for reading; a very long one only on request. */
export function ResponseBodyView(props: {
  readonly call: Call;
  readonly body: ResponseBody | null;
  readonly onShowAnyway: () => void;
  readonly onRetry: () => void;
  /** Called with the position of the cursor in the text that is shown. */
  readonly onCursor: (offset: number) => void;
  readonly onValue: ((as: ValueUse) => void) | undefined;
}) {
  const { call, body, onShowAnyway, onRetry } = props;
  if (body === null || body.state === 'loading') return <Skeleton rows={8} label="Loading the response" />;
  if (body.state === 'failed') return <FailedState title="The body could not be read" message={body.message} retry={onRetry} />;
  const { bytes } = body;
  if (bytes.length === 0) {
    if (call.rawBytes !== undefined)
      return (
        <EmptyState title="No body could be read" small>
          Raw shows the bytes.
        </EmptyState>
      );
    return call.failure !== null ? (
      <EmptyState title="No body arrived" small>
        Nothing came after the headers.
      </EmptyState>
    ) : (
      <EmptyState title="The response has no body" small>
        The provider sent only headers.
      </EmptyState>
    );
  }
  const shown = body.gated ? null : body.pretty;
  const onValue = body.body.isJson && shown !== null ? props.onValue : undefined;
  return (
    <>
      {body.body.malformedAt !== null && <Malformed at={body.body.malformedAt} />}
      {body.body.unread !== null && (
        <p className="band on-warn">
          {/* Without a code, the explanation above gives the reason. */}
          {call.code !== null || unreadFinding(call.findings) === null
            ? body.body.unread
            : `The response is shown ${asReceived(call)}.`}
        </p>
      )}
      {!body.body.isJson && body.body.unread === null && <p className="band on-warn">Not JSON, shown {asReceived(call)}.</p>}
      {shown?.whole === false && (
        <p className="band on-warn">
          Only the first {shown.text.length.toLocaleString('en')} characters are shown. Copy or save to get all.
        </p>
      )}
      {call.response?.truncated === true && (
        <p className="band on-warn">
          {call.origin === undefined
            ? "Truncated at the environment's limit for responses. Raise it to see the rest."
            : 'The gateway passed all of this response and kept only its beginning.'}
        </p>
      )}
      <div className={styles.text}>
        {/* The editor waits behind the gate, so that opening the gate does not also create an editor. */}
        <div className="fill-row" inert={shown === null}>
          <ReadOnlyText
            label={`Response of ${call.operation ?? 'other request'}`}
            text={shown?.text ?? ''}
            language={body.body.isJson ? 'json' : 'plaintext'}
            wrap={bytes.length <= WRAP_UP_TO}
            folding
            onCursor={props.onCursor}
            actions={
              onValue === undefined ? noActions : valueUses.map(({ as, label }) => ({ id: as, label, run: () => onValue(as) }))
            }
            placeholder={<Skeleton rows={8} label="Loading the editor" />}
          />
        </div>
        {body.gated ? (
          <div className={styles.gate}>
            <EmptyState
              icon={<FileWarning />}
              title={`Large response: ${size(bytes.length)}`}
              action={
                <>
                  <Button variant="primary" onClick={onShowAnyway}>
                    Show anyway
                  </Button>
                  <SaveButton call={call} bytes={bytes} />
                </>
              }
            >
              Formatting takes a moment and shows only the beginning.
              {body.body.unread === null ? ' Table and Findings work without it.' : ''}
            </EmptyState>
          </div>
        ) : shown === null ? (
          <div className={styles.gate}>
            <Skeleton rows={8} label="Formatting the response" />
          </div>
        ) : (
          <BodyTools call={call} bytes={bytes} text={body.body.malformedAt === null ? body.body.text : null}>
            {onValue === undefined
              ? null
              : valueUses.map(({ as, label, command, icon }) => (
                  <IconButton key={as} small label={label} command={command} icon={icon} onClick={() => onValue(as)} />
                ))}
          </BodyTools>
        )}
      </div>
    </>
  );
}

/** Copy and save; both always give everything that is kept of the received bytes. */
export function BodyTools({
  call,
  part = 'body',
  bytes,
  text,
  children,
}: {
  readonly call: Call;
  readonly part?: KeptPart;
  readonly bytes: Uint8Array;
  readonly text: string | null;
  readonly children?: ReactNode;
}) {
  const what = `the ${part === 'body' ? 'body' : 'bytes'} ${asReceived(call, part)}`;
  return (
    <div className={styles.tools}>
      {children}
      {text !== null && <CopyButton small text={text} label={`Copy ${what}`} />}
      <IconButton
        small
        label={`Save ${what}`}
        icon={<Download />}
        onClick={() => saveBytes(document, bytes, fileName(call, part))}
      />
    </div>
  );
}

/** Says that the bytes are not UTF-8, and where. */
function Malformed({ at }: { readonly at: number }) {
  return (
    <p className="band on-warn">Not valid UTF-8 from {byteText(at)}: � marks what can&apos;t be read. Raw shows the bytes.</p>
  );
}

function SaveButton({ call, bytes }: { readonly call: Call; readonly bytes: Uint8Array }) {
  return (
    <Button icon={<Download />} onClick={() => saveBytes(document, bytes, fileName(call))}>
      Save to file
    </Button>
  );
}

const endings: Readonly<Record<KeptPart, string>> = { body: 'json', raw: 'raw', sentRaw: 'request.raw' };

function fileName(call: Call, part: KeptPart = 'body'): string {
  return `${call.operation ?? 'request'}-${call.pack?.number ?? call.id}.${endings[part]}`;
}
