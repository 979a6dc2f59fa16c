import { useMemo, useState } from 'react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { hexText } from '#renderer/calls/hex-text.ts';
import { useHexRow } from '#renderer/calls/use-hex-row.ts';
import { BytesFormChoice, type BytesForm } from '#renderer/calls/wire-parts.tsx';
import { ReadOnlyText } from '#renderer/editor/read-only-text.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { BodyTools } from './response-body-view.tsx';
import { asReceived } from './response-facts.ts';
import type { ResponseBody } from './response-store.ts';
import styles from './response-pane.module.css';

const MAX_TEXT = 500_000;

/** The bytes as received, except for a masked key: as text, or in hexadecimal, which comes first if they are not UTF-8. */
export function RawBody({ call, body }: { readonly call: Call; readonly body: ResponseBody | null }) {
  const [chosen, setChosen] = useState<BytesForm | null>(null);
  const ready = body?.state === 'ready' ? body : null;
  const form = chosen ?? ((ready?.body.malformedAt ?? null) === null ? 'text' : 'hex');
  const [box, row] = useHexRow<HTMLDivElement>();
  const shown = useMemo(() => {
    if (ready === null) return null;
    if (form === 'text')
      return {
        text: ready.body.text.slice(0, MAX_TEXT),
        hidden: Math.max(0, ready.body.text.length - MAX_TEXT),
        unit: 'characters',
      };
    const { bytes } = ready;
    return { ...hexText(bytes.length, (at) => bytes[at] ?? 0, [], { rowBytes: row }), unit: 'bytes' };
  }, [ready, form, row]);
  return (
    <div ref={box} className={styles.view}>
      {ready === null || shown === null ? (
        <Skeleton rows={8} label="Loading the response" />
      ) : (
        <>
          <div className={styles.rawBar}>
            <BytesFormChoice label="How the raw body is shown" value={form} onChange={setChosen} />
            <span>
              {ready.bytes.length.toLocaleString('en')} bytes {asReceived(call)}
              {shown.hidden > 0
                ? `; ${shown.hidden.toLocaleString('en')} ${shown.unit} not shown, copying and saving give all`
                : ''}
            </span>
          </div>
          <div className={styles.text}>
            <ReadOnlyText
              label="Raw body"
              text={shown.text}
              wrap={form === 'text' && shown.text.length <= 200_000}
              breakAnywhere
            />
            <BodyTools call={call} bytes={ready.bytes} text={ready.body.malformedAt === null ? ready.body.text : null} />
          </div>
        </>
      )}
    </div>
  );
}
