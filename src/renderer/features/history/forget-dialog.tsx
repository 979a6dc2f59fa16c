import { useStore } from 'zustand';
import { TriangleExclamationPoint } from 'lucide-react';
import { namedLines } from '#shared/forget/words.ts';
import type { ForgetReport } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { ForgetStore } from './forget-store.ts';

/**
 * Asks whose data is to go, shows what that is before anything is removed, and afterwards what was removed and what was not
 * reached.
 */
export function ForgetDialog({ store }: { store: ForgetStore }) {
  const { stage, player, setAside, setPlayer, setSetAside, search, forget, stop, close } = useStore(store);
  if (stage.kind === 'closed') return null;
  const name = `"${player}"`;
  switch (stage.kind) {
    case 'asking':
      return (
        <Dialog
          onClose={close}
          title="Forget a player"
          description="Croupier first lists everything in this home that names the player. Nothing is removed until you confirm."
          actions={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button
                variant="primary"
                waits={player === '' ? 'Enter a player ID first.' : null}
                onClick={() => startWork(search())}
              >
                Find player
              </Button>
            </>
          }
        >
          <form
            onSubmit={(event) => {
              event.preventDefault();
              startWork(search());
            }}
          >
            <Field label="Player ID" hint="Must match playerId exactly, including case and spaces." error={stage.problem}>
              <TextField code maxLength={1_000} value={player} onText={setPlayer} />
            </Field>
            {/* Makes Enter in the field start the search. */}
            <button type="submit" hidden tabIndex={-1}>
              Find player
            </button>
          </form>
        </Dialog>
      );
    case 'working':
      return (
        <Dialog
          onClose={close}
          title={stage.removing ? `Forgetting ${name}` : `Looking for ${name}`}
          actions={
            <Button disabled={stage.stopping} onClick={stop}>
              {stage.stopping ? 'Stopping' : 'Stop'}
            </Button>
          }
        >
          <output className="numbers">{stage.progress}</output>
          {stage.removing ? <p className="quiet small">If you stop, what is already removed stays removed.</p> : null}
        </Dialog>
      );
    case 'found': {
      const { report, problem } = stage;
      const lines = namedLines(report);
      const damaged = report.left.some((one) => one.setAside);
      const isEmpty = lines.length === 0 && !setAside;
      return (
        <Dialog
          onClose={close}
          tone={isEmpty ? 'plain' : 'bad'}
          title={lines.length === 0 ? `Nothing found for ${name}` : `Forget player ${name}?`}
          description={
            lines.length === 0
              ? 'None of the calls, launches, run reports, examples and evidence that Croupier checked names this player.'
              : "Croupier removes this permanently, from production environments too. You can't undo it."
          }
          actions={
            <>
              <Button onClick={close}>{isEmpty ? 'Close' : 'Keep everything'}</Button>
              {isEmpty ? null : (
                <Button variant="danger" onClick={() => startWork(forget())}>
                  {' '}
                  Forget player{' '}
                </Button>
              )}
            </>
          }
        >
          <div className="stack-wide">
            <Lines label="Will be removed" lines={lines} files={report.exampleFiles} />
            {damaged ? (
              <Checkbox checked={setAside} onChange={setSetAside}>
                Also delete all damaged histories that were set aside
              </Checkbox>
            ) : null}
            <Left report={report} without={setAside} />
            {problem === null ? null : <p className="bad small">Not done. {problem}</p>}
          </div>
        </Dialog>
      );
    }
    case 'done': {
      const { report } = stage;
      const lines = namedLines(report);
      return (
        <Dialog
          onClose={close}
          title={doneTitle(report, name)}
          description={report.cancelled ? 'What was already removed stays removed. The rest is still there.' : undefined}
          actions={
            <Button variant="primary" onClick={close}>
              Close
            </Button>
          }
        >
          <div className="stack-wide">
            {report.remains === null ? null : (
              <p className="sign-line warn" role="alert">
                <TriangleExclamationPoint />
                <span>{report.remains}</span>
              </p>
            )}
            <Lines label="Removed" lines={lines.length === 0 ? ['Nothing'] : lines} files={report.exampleFiles} />
            <Left report={report} without={false} />
          </div>
        </Dialog>
      );
    }
  }
}

function doneTitle({ cancelled, remains }: ForgetReport, name: string): string {
  if (cancelled) return `Stopped: ${name} is not forgotten`;
  return remains === null
    ? `Removed everything about ${name} that Croupier can reach`
    : `Removed, but ${name} may still be readable`;
}

function Lines({ label, lines, files }: { label: string; lines: readonly string[]; files: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="quiet tiny">{label}</h3>
      <ul className="bullets" aria-label={label}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Files files={files} />
    </section>
  );
}

function Left({ report, without }: { report: ForgetReport; without: boolean }) {
  const left = report.left.filter(({ setAside }) => !(without && setAside));
  if (left.length === 0) return null;
  return (
    <section>
      <h3 className="quiet tiny">Not covered</h3>
      <ul className="bullets" aria-label="Not covered">
        {left.map(({ text, files }) => (
          <li key={text}>
            {text}
            <Files files={files} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Files({ files }: { files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="quiet tiny">
      {files.map((file) => (
        <li key={file} className="code">
          {file}
        </li>
      ))}
    </ul>
  );
}
