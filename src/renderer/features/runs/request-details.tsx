import { ExternalLink, FileInput, X } from 'lucide-react';
import { operationTitle } from '#shared/provider/index.ts';
import { durationText } from '#renderer/calls/call-words.ts';
import { CheckList } from '#renderer/calls/check-list.tsx';
import { FindingItems } from '#renderer/calls/finding-items.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import type { RunRow } from './run-rows.ts';
import { requestWord } from './run-words.ts';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import styles from './request-details.module.css';

/** One request of a run: its state, each check with the expected and the actual value, and the way to its call. */
export function RequestDetails({
  row,
  onOpenCall,
  onOpenRequest,
  onClose,
}: {
  row: RunRow;
  onOpenCall: (id: number) => void;
  /** Opens its file as it was in the run; null if its collection is not open. */
  onOpenRequest: ((row: RunRow) => void) | null;
  onClose: () => void;
}) {
  const { request, iteration, row: dataRow } = row;
  const { path, operation, state, reason, callId, code, status, durationMs, checks, unchecked, unrecorded, findings } = request;
  const word = requestWord(state);
  const facts = [
    operation === null ? '' : operationTitle(operation),
    `iteration ${iteration.toLocaleString('en')}`,
    dataRow === null ? '' : `data row ${dataRow.toLocaleString('en')}`,
    code === null ? '' : `code ${code}`,
    status === null ? '' : `HTTP ${status}`,
    durationText(durationMs),
  ].filter((fact) => fact !== '');
  return (
    <PageFrame label={`Checks of ${path}`} pane="details">
      <PageHead
        kind="pane"
        className={styles.head}
        actions={
          <>
            {onOpenRequest === null ? null : (
              <Button icon={<FileInput />} onClick={() => onOpenRequest(row)}>
                Open request
              </Button>
            )}
            {callId === null ? null : (
              <Button icon={<ExternalLink />} onClick={() => onOpenCall(callId)}>
                Open call {callId}
              </Button>
            )}
            <IconButton label="Close the checks" icon={<X />} onClick={onClose} />
          </>
        }
      >
        <Pill tone={word.tone} size="small">
          {word.text}
        </Pill>
        <h2 title={path}>{path}</h2>
      </PageHead>
      <div className="scroll-pane stack small">
        <p className="quiet">{facts.join(', ')}</p>
        {reason === '' ? null : <p>{reason}</p>}
        {unrecorded === '' ? null : <p>{unrecorded}</p>}
        {unchecked && checks.length > 0 ? (
          <p className="quiet">This request has no checks, so only the default was checked.</p>
        ) : null}
        {checks.length === 0 ? (
          <p className="quiet">{callId === null ? 'Nothing was sent, so nothing was checked.' : 'Nothing was checked.'}</p>
        ) : (
          <CheckList checks={checks} />
        )}
        {(['request', 'response'] as const).map((about) => {
          const own = findings.filter((finding) => finding.about === about);
          if (own.length === 0) return null;
          return (
            <section key={about}>
              <h3>Findings about the {about}</h3>
              <FindingItems findings={own} label={`Findings about the ${about}`} />
            </section>
          );
        })}
      </div>
    </PageFrame>
  );
}
