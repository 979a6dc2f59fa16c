import { useState } from 'react';
import { Plus, X } from 'lucide-react';
import { answerPath, variableName } from '#shared/collections/file-limits.ts';
import { readTags, tagsLine } from '#shared/collections/tag-list.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { ExpectationRow, newExpectation } from './expectation-row.tsx';
import type { TabRun } from '../tabs/request-tab.ts';
import type { TabExtras } from '../tabs/tab-file.ts';
import styles from './checks-view.module.css';

interface TakeRow {
  readonly id: number;
  readonly name: string;
  readonly path: string;
}

interface ChecksViewProps {
  readonly extras: TabExtras;
  /** The run whose failed checks are marked; null for none. */
  readonly run: TabRun | null;
  readonly onChange: (extras: TabExtras) => void;
  readonly onRemove: (of: 'expect' | 'take', at: number) => void;
}

/** Edits the checks of the response, the values of it that later requests use, and the tags by which a run chooses the request. */
export function ChecksView({ extras, run, onChange, onRemove }: ChecksViewProps) {
  const { expect } = extras;
  return (
    <div className={styles.view}>
      <section aria-labelledby="checks-expect">
        <h3 id="checks-expect">Expect</h3>
        {expect.length === 0 ? (
          <p className={styles.words}>
            No checks yet: the response must have code 0. A wallet response without a code must be a JSON object with HTTP 200.
          </p>
        ) : null}
        <ol className={styles.list}>
          {expect.map((one, at) => (
            <ExpectationRow
              key={`${at} ${Object.keys(one)[0]}`}
              number={at + 1}
              value={one}
              failure={failureText(run, at)}
              onChange={(value) => onChange({ ...extras, expect: expect.with(at, value) })}
              onRemove={() => onRemove('expect', at)}
            />
          ))}
        </ol>
        <Button
          icon={<Plus />}
          onClick={() => {
            onChange({ ...extras, expect: [...expect, newExpectation(expect.length === 0 ? 'code' : 'path')] });
            announcer.say(`Added check ${expect.length + 1}.`);
          }}
        >
          Add a check
        </Button>
      </section>
      <Takes take={extras.take} onTake={(take) => onChange({ ...extras, take })} onRemove={(at) => onRemove('take', at)} />
      <Tags tags={extras.tags} onTags={(tags) => onChange({ ...extras, tags })} />
    </div>
  );
}

function Tags({ tags, onTags }: { readonly tags: readonly string[]; readonly onTags: (tags: string[]) => void }) {
  const [typed, setTyped] = useState(() => tagsLine(tags));
  const read = readTags(typed);
  // An unfinished line is only here; other tags of the file replace it.
  const line = tagsLine(read.tags) === tagsLine(tags) ? typed : tagsLine(tags);
  const { problem } = readTags(line);
  return (
    <Field
      layout="stack"
      label="Tags"
      hint="Runs can select requests by tag: smoke, wallet."
      error={problem === null ? undefined : `Not saved. ${problem}`}
    >
      <TextField
        code
        value={line}
        onText={(text) => {
          setTyped(text);
          onTags([...readTags(text).tags]);
        }}
      />
    </Field>
  );
}

interface TakesProps {
  readonly take: TabExtras['take'];
  readonly onTake: (take: TabExtras['take']) => void;
  readonly onRemove: (at: number) => void;
}

function Takes({ take, onTake, onRemove }: TakesProps) {
  const [kept, setKept] = useState<readonly TakeRow[]>(() => rowsOf(take));
  // Unfinished rows are only here; another text of the file replaces them.
  const rows = JSON.stringify(recordOf(kept)) === JSON.stringify(take) ? kept : rowsOf(take);
  const put = (next: readonly TakeRow[]) => {
    setKept(next);
    onTake(recordOf(next));
  };
  const change = (id: number, part: Partial<TakeRow>) => put(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  return (
    <section aria-labelledby="checks-take">
      <h3 id="checks-take">Response variables</h3>
      <p className={styles.words}>Later requests can use these response values as {'{{name}}'}.</p>
      <ol className={styles.list}>
        {rows.map((row, at) => {
          const problem = takeProblem(row, rows.slice(0, at));
          return (
            <li key={row.id}>
              <div className={styles.row}>
                <TextField
                  code
                  aria-label={`Variable ${at + 1}, name`}
                  placeholder="name"
                  value={row.name}
                  onText={(name) => change(row.id, { name })}
                />
                <TextField
                  code
                  aria-label={`Variable ${at + 1}, path`}
                  placeholder="/data/balance"
                  value={row.path}
                  onText={(path) => change(row.id, { path })}
                />
                <IconButton
                  small
                  label={`Remove variable ${at + 1}`}
                  icon={<X />}
                  onClick={() => {
                    const rest = rows.filter((one) => one !== row);
                    // One that the file lacks was never more than a row here.
                    const saved = Object.keys(take).indexOf(row.name);
                    if (saved === -1 || recordOf(rest)[row.name] !== undefined) put(rest);
                    else {
                      setKept(rest);
                      onRemove(saved);
                    }
                  }}
                />
              </div>
              {problem === null ? null : <p className="bad small">{problem}</p>}
            </li>
          );
        })}
      </ol>
      <Button
        icon={<Plus />}
        onClick={() => put([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', path: '/' }])}
      >
        Add a variable
      </Button>
    </section>
  );
}

function failureText(run: TabRun | null, at: number): string | null {
  const failed = run?.failed.get(at);
  if (run === null || failed === undefined) return null;
  return `Failed in call ${run.callId}: ${failed.check}. ${failed.message === '' ? `It was ${failed.actual}.` : failed.message}`;
}

function rowsOf(take: TabExtras['take']): readonly TakeRow[] {
  return Object.entries(take).map(([name, path], id) => ({ id, name, path }));
}

/** Returns the rows that can be saved in a file: of two with one name the first. */
function recordOf(rows: readonly TakeRow[]): TabExtras['take'] {
  const take: Record<string, string> = {};
  for (const { name, path } of rows) {
    if (variableName.pattern.test(name) && !Object.hasOwn(take, name)) take[name] = path;
  }
  return take;
}

function takeProblem({ name, path }: TakeRow, before: readonly TakeRow[]): string | null {
  if (name === '') return 'Not saved. Enter a name.';
  if (!variableName.pattern.test(name)) return `Not saved. ${variableName.problem}`;
  if (before.some((row) => row.name === name)) return `Not saved. ${name} is already in the list.`;
  if (path.length > answerPath.most)
    return `The path is longer than ${answerPath.most.toLocaleString('en')} characters. Shorten it.`;
  return answerPath.pattern.test(path) ? null : answerPath.problem;
}
