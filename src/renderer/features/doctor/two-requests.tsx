import { useMemo } from 'react';
import type { PastedRequest } from '#shared/ipc/index.ts';
import { differenceWords, otherReadings } from '#shared/doctor/readings.ts';
import { keyPlaceholder } from '#shared/signing/hash-input.ts';
import { WirePart } from '#renderer/calls/wire-parts.tsx';
import { ShownInput } from './compared-inputs.tsx';
import { differences } from './input-differences.ts';
import { markInput } from './input-marks.ts';
import styles from './compared-inputs.module.css';

/** Compares two requests that were pasted together, such as an accepted one and a rejected one; nothing for more, fewer, or two readings of one. */
export function TwoRequests({ requests, chosen }: { readonly requests: readonly PastedRequest[]; readonly chosen: number }) {
  const at = 1 - chosen;
  const [shown, other] = [requests[chosen], requests[at]];
  const input = useMemo(() => {
    if (shown === undefined || other === undefined) return null;
    const text = inputOf(other);
    return markInput(text, other.time ?? '', differences(inputOf(shown), text).hashed, styles.differing ?? '');
  }, [shown, other]);
  if (requests.length !== 2 || shown === undefined || other === undefined || input === null) return null;
  if (otherReadings(requests, chosen).length > 0) return null;
  const title = `Request ${at + 1} and request ${chosen + 1}`;
  return (
    <div className="edge-above rigid">
      <WirePart title={title} label={`${title}, with what differs`} detail={null}>
        <p className="band quiet">{differenceWords(shown, other)}</p>
        <ShownInput label={title} input={input} />
      </WirePart>
    </div>
  );
}

/** Returns the hash input of the text of data as it came; without data or time, of what there is. */
function inputOf({ time, dataText }: PastedRequest): string {
  return keyPlaceholder + (time ?? '') + (dataText ?? '');
}
