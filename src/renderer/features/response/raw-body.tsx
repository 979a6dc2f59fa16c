import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { KeptPart } from '#shared/ipc/kept-part.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { hexText } from '#renderer/calls/hex-text.ts';
import { useHexRow } from '#renderer/calls/use-hex-row.ts';
import { BytesFormChoice, type BytesForm } from '#renderer/calls/wire-parts.tsx';
import { ReadOnlyText } from '#renderer/editor/read-only-text.tsx';
import { useHiddenTokens } from '#renderer/ui/hidden-tokens.ts';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import { BodyTools } from './response-body-view.tsx';
import { asReceived } from './response-facts.ts';
import { keptAs, type ResponseStore } from './response-store.ts';
import styles from './response-pane.module.css';

const MAX_TEXT = 500_000;

const parts = optionsOf<KeptPart>({ body: 'Body', raw: 'As received', sentRaw: 'Request' });

/** Returns the parts that a call has as bytes. */
function partsOf({ response, rawBytes, request }: Call) {
  const has = { body: response !== null, raw: rawBytes !== undefined, sentRaw: request.rawBytes !== undefined };
  return parts.filter(({ value }) => has[value]);
}

/**
 * The body as received, except for a masked key, or all bytes as they came where a call has them, also those of a request: as text, or in hexadecimal, which comes first if
 * they are not UTF-8.
 */
export function RawBody({ call, store }: { readonly call: Call; readonly store: ResponseStore }) {
  const [asked, setAsked] = useState<KeptPart>('body');
  const choices = partsOf(call);
  const part = (choices.find(({ value }) => value === asked) ?? choices[0])?.value ?? 'raw';
  const body = useStore(store, (state) => state[keptAs[part]].get(call.id) ?? null);
  useEffect(() => startWork(store.getState().open(call.id, part)), [store, call.id, part]);
  const [chosen, setChosen] = useState<BytesForm | null>(null);
  const ready = body?.state === 'ready' ? body : null;
  const form = chosen ?? ((ready?.body.malformedAt ?? null) === null ? 'text' : 'hex');
  const [box, row] = useHexRow<HTMLDivElement>();
  const hidesTokens = useHiddenTokens();
  const shown = useMemo(() => {
    if (ready === null) return null;
    if (form === 'text')
      return {
        text: ready.body.text.slice(0, MAX_TEXT),
        hidden: Math.max(0, ready.body.text.length - MAX_TEXT),
        unit: 'characters',
      };
    const { bytes } = ready;
    return { ...hexText(bytes.length, (at) => bytes[at] ?? 0, [], { rowBytes: row, hidesTokens }), unit: 'bytes' };
  }, [ready, form, row, hidesTokens]);
  return (
    <div ref={box} className="fill-column">
      {body?.state === 'failed' ? (
        <FailedState
          title="The bytes could not be read"
          message={body.message}
          retry={() => startWork(store.getState().open(call.id, part))}
        />
      ) : ready === null || shown === null ? (
        <Skeleton rows={8} label="Loading the response" />
      ) : (
        <>
          <div className="line-wide band faint">
            {choices.length > 1 && <SegmentedChoice label="Bytes" options={choices} value={part} onChange={setAsked} />}
            <BytesFormChoice label="Raw view" value={form} onChange={setChosen} />
            <span>
              {ready.bytes.length.toLocaleString('en')} bytes {asReceived(call, part)}
              {shown.hidden > 0 ? `; ${shown.hidden.toLocaleString('en')} ${shown.unit} not shown. Copy or save to get all.` : ''}
            </span>
          </div>
          <div className={styles.text}>
            <ReadOnlyText
              label="Raw body"
              text={shown.text}
              wrap={form === 'text' && shown.text.length <= 200_000}
              breakAnywhere
            />
            <BodyTools
              call={call}
              part={part}
              bytes={ready.bytes}
              text={ready.body.malformedAt === null ? ready.body.text : null}
            />
          </div>
        </>
      )}
    </div>
  );
}
