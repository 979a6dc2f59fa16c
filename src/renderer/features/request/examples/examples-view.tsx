import { useEffect, useId, useRef, useState } from 'react';
import { ChevronDown, ChevronRight, X } from 'lucide-react';
import type { RequestExample } from '#shared/collections/model.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import styles from './examples-view.module.css';

type Examples = readonly RequestExample[];

interface ExamplesViewProps {
  readonly examples: Examples;
  readonly onChange: (examples: RequestExample[]) => void;
}

/** The responses kept beside the request: to read, rename and remove; the file changes when the tab is saved. */
export function ExamplesView({ examples, onChange }: ExamplesViewProps) {
  const [removed, setRemoved] = useState<{ readonly example: RequestExample; readonly at: number } | null>(null);
  const removedId = useId();
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (removed !== null) undo.current?.focus();
  }, [removed]);
  return (
    <div className={styles.view}>
      {removed === null ? null : (
        <p className={styles.removed}>
          <span id={removedId}>Removed "{removed.example.name}".</span>
          <Button
            ref={undo}
            // It has the focus: a screen reader says what it undoes.
            aria-describedby={removedId}
            onClick={() => {
              onChange(examples.toSpliced(removed.at, 0, removed.example));
              setRemoved(null);
            }}
          >
            Undo
          </Button>
        </p>
      )}
      {examples.length === 0 ? (
        <EmptyState title="No examples yet" small>
          Send the request, then choose <em>Save as example…</em> below the response. Examples are saved with the request.
        </EmptyState>
      ) : (
        <ul className="column" aria-label="Examples">
          {examples.map((example, at) => (
            <ExampleEntry
              key={`${at} ${example.body.length}`}
              example={example}
              taken={examples.filter((_, other) => other !== at).map(({ name }) => name)}
              onRename={(name) => onChange(examples.with(at, { ...example, name }))}
              onRemove={() => {
                setRemoved({ example, at });
                onChange(examples.toSpliced(at, 1));
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function ExampleEntry({
  example: { name, status, body },
  taken,
  onRename,
  onRemove,
}: {
  readonly example: RequestExample;
  readonly taken: readonly string[];
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
}) {
  const [open, setOpen] = useState(false);
  /** A typed name that is not valid yet. */
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? null : nameProblem(typed, taken);
  return (
    <li>
      <div className={styles.row}>
        <IconButton
          small
          label={`${open ? 'Hide' : 'Show'} ${name}`}
          icon={open ? <ChevronDown /> : <ChevronRight />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        <TextField
          aria-label={`Name of the example ${name}`}
          value={typed ?? name}
          aria-invalid={problem !== null || undefined}
          onText={(text) => {
            const fits = nameProblem(text, taken) === null;
            setTyped(fits ? null : text);
            if (fits) onRename(text);
          }}
        />
        <Pill tone={status < '400' ? 'plain' : 'warn'} size="small">
          HTTP {status}
        </Pill>
        <IconButton small label={`Remove ${name}`} icon={<X />} onClick={onRemove} />
      </div>
      {problem === null ? null : <p className={styles.problem}>{problem}</p>}
      {open ? (
        <TextArea
          code
          readOnly
          className={styles.body}
          aria-label={`Body of ${name}`}
          rows={Math.min(16, body.split('\n').length + 1)}
          value={body}
          onText={ignoreText}
        />
      ) : null}
    </li>
  );
}

/** Returns why a text cannot be the name of an example; null if it can. */
export function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name.trim() === '') return 'Enter a name.';
  if (name.length > 200) return 'The name is longer than 200 characters. Shorten it.';
  return taken.includes(name) ? `An example named "${name}" already exists.` : null;
}

function ignoreText(): void {}
