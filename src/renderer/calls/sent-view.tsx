import { useState } from 'react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { callNumber } from '#shared/calls/pack-words.ts';
import { signerWords } from '#shared/calls/key-words.ts';
import type { SentRequest } from '#shared/calls/sent-request.ts';
import { bytesFact, departureText, sentProof, wholeStatement } from '#shared/calls/sent-words.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { useExplaining } from './explaining.ts';
import { BodyPartView, BytesFormChoice, HashInputPart, HeadersPart, WirePart, type BytesForm } from './wire-parts.tsx';
import styles from './sent-view.module.css';

/**
 * Shows the bytes that left as a call, frozen: hash input, hash, body and headers, and whether the signed bytes are those of the
 * body.
 */
export function SentView({ call, sent }: { readonly call: Call; readonly sent: SentRequest }) {
  const [form, setForm] = useState<BytesForm>('text');
  const { hashInput, hash, bodyText, parts } = sent;
  const of = `of call ${callNumber(call)}`;
  const departure = departureText(sent);
  const signer = signerWords(call.request.keyFingerprint, useExplaining().useKey(call.environmentId));
  const fact = bytesFact(sent);
  const choice = <BytesFormChoice label="Bytes view" value={form} onChange={setForm} />;
  return (
    <div className="fill-scroll">
      {departure === null ? null : (
        <p className={styles.departure} data-departure={sent.departure}>
          {departure}
        </p>
      )}
      {hashInput === null ? null : (
        <HashInputPart
          label={`Hash input ${of}`}
          time={hashInput.time}
          data={hashInput.dataJson}
          masked={sent.masked || sent.maskedKeys.length > 0}
          form={form}
          tools={choice}
        />
      )}
      <WirePart
        title="Hash"
        label={`Hash ${of}`}
        detail={
          <Pill tone={fact.tone} round>
            {wholeStatement(fact)}
          </Pill>
        }
      >
        {hash === null ? null : (
          <p className={styles.hash}>
            <code>{hash}</code>
            <CopyButton small label="Copy the hash" text={hash} />
          </p>
        )}
        <ul className={styles.proof} aria-label="Proof">
          {sentProof(sent).map((line) => (
            <li key={line}>{line}</li>
          ))}
          {signer === null ? null : <li>Signed with the {signer}.</li>}
        </ul>
      </WirePart>
      <BodyPartView
        label={`Body ${of}`}
        text={bodyText}
        sentBytes={call.requestBytes}
        parts={parts}
        form={form}
        tools={hashInput === null ? choice : undefined}
      />
      <HeadersPart label={`Request headers ${of}`} headers={call.request.headers} />
    </div>
  );
}
