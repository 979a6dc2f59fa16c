import { Fragment, useId } from 'react';
import { Plus, X } from 'lucide-react';
import {
  callCheckKinds,
  checkKinds,
  jsonTypes,
  openedCheck,
  pathDemandNames,
  pathDemands,
  type CallCheckKind,
  type CheckKindName,
  type PathDemand,
} from '#shared/collections/check-kinds.ts';
import type { Expectation, PathExpectation } from '#shared/collections/model.ts';
import { answerPath } from '#shared/collections/file-limits.ts';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { Problem } from '#renderer/ui/problem.tsx';
import styles from './checks-view.module.css';
import { isComplete } from './complete-check.ts';

const labels: Readonly<Record<CheckKindName, string>> = {
  ...(Object.fromEntries(Object.entries(callCheckKinds).map(([kind, { label }]) => [kind, label])) as Record<
    CallCheckKind,
    string
  >),
  path: 'Value at',
};
const kindOptions = checkKinds.map((value) => ({ value, label: labels[value] }));

/** Returns a new check of a kind. */
export function newExpectation(kind: CheckKindName): Expectation {
  return kind === 'path' ? { path: '/', present: true } : withValue(kind, callCheckKinds[kind].first);
}

function withValue(kind: CallCheckKind, value: unknown): Expectation {
  return { [kind]: value } as unknown as Expectation;
}

/** One check: its kind, its values, and the problems of them. */
export function ExpectationRow({
  number,
  value,
  failure,
  onChange,
  onRemove,
}: {
  /** From 1; names the controls. */
  readonly number: number;
  readonly value: Expectation;
  /** Says why it failed in the run that the request was opened from; null if it did not. */
  readonly failure: string | null;
  readonly onChange: (value: Expectation) => void;
  readonly onRemove: () => void;
}) {
  const problemId = useId();
  const kind = checkKinds.find((one) => one in value) ?? 'code';
  const name = `Check ${number}`;
  return (
    <li data-failed-check={failure !== null || undefined}>
      {failure === null ? null : <p className="bad small">{failure}</p>}
      <div className={styles.row}>
        <Select
          aria-label={`${name}, kind`}
          options={kindOptions}
          value={kind}
          onChange={(next) => onChange(newExpectation(next))}
          className={styles.kind}
        />
        <Value name={name} value={value} problemId={isComplete(value) ? undefined : problemId} onChange={onChange} />
        <IconButton small label={`Remove check ${number}`} icon={<X />} onClick={onRemove} />
      </div>
      {'path' in value ? <PathMembers name={name} value={value} onChange={onChange} /> : null}
      {isComplete(value) ? null : (
        <Problem id={problemId} className="bad small">
          {'path' in value && !answerPath.pattern.test(value.path)
            ? 'Start the path with / (JSON Pointer) or $ (JSONPath).'
            : "This check isn't complete."}
        </Problem>
      )}
    </li>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: Expectation;
  readonly onChange: (value: Expectation) => void;
}

function Value({ name, value, problemId, onChange }: ValueProps & { readonly problemId: string | undefined }) {
  const field = (label: string, text: string, make: (text: string) => Expectation) => (
    <TextField
      code
      aria-label={`${name}, ${label}`}
      aria-invalid={problemId !== undefined || undefined}
      aria-describedby={problemId}
      value={text}
      onText={(typed) => onChange(make(typed))}
    />
  );
  if ('path' in value) return field('path', value.path, (path) => ({ ...value, path }));
  const { kind, value: held, row } = openedCheck(value);
  const { form } = row;
  if ('word' in form) return <span className={styles.words}>{form.hint}</span>;
  if ('text' in form) return field(form.text, held, (text) => withValue(kind, text));
  return Object.entries(form.texts).map(([part, label], at) => (
    <Fragment key={part}>
      {at > 0 ? <span className={styles.words}>{form.between}</span> : null}
      {field(label, held[part], (text) => withValue(kind, { ...(held as object), [part]: text }))}
    </Fragment>
  ));
}

function PathMembers({ name, value, onChange }: ValueProps & { readonly value: PathExpectation }) {
  const present = (Object.keys(value) as (keyof PathExpectation)[]).filter((key): key is PathDemand => key !== 'path');
  const free = pathDemandNames.filter((member) => value[member] === undefined);
  /** Keeps the order, which is that of the file. */
  const replaced = (from: PathDemand, to: PathDemand, content: string): PathExpectation => ({
    path: value.path,
    ...Object.fromEntries(present.map((member) => (member === from ? [to, memberValue(to, content)] : [member, value[member]]))),
  });
  return (
    <>
      {present.map((member) => {
        const content = String(value[member]);
        const { label, holds } = pathDemands[member];
        const choose = (options: readonly string[]) => (
          <Select
            aria-label={`${name}, ${label}`}
            options={options.map((one) => ({ value: one, label: one }))}
            value={content}
            onChange={(next) => onChange(replaced(member, member, next))}
          />
        );
        return (
          <div key={member} className={styles.member}>
            <Select
              aria-label={`${name}, comparison`}
              options={[member, ...free].map((one) => ({ value: one, label: pathDemands[one].label }))}
              value={member}
              onChange={(next) => onChange(replaced(member, next, memberDefault(next, content)))}
              className={styles.kind}
            />
            {holds === 'presence' ? (
              choose(['true', 'false'])
            ) : holds === 'type' ? (
              choose(jsonTypes)
            ) : (
              <TextField
                code
                aria-label={`${name}, ${label}`}
                value={content}
                onText={(next) => onChange(replaced(member, member, next))}
              />
            )}
            <IconButton
              small
              label={`Remove "${label}"`}
              icon={<X />}
              onClick={() => {
                const { [member]: _gone, ...rest } = value;
                onChange(rest);
              }}
            />
          </div>
        );
      })}
      {free[0] === undefined ? null : (
        <Button
          variant="quiet"
          className={styles.more}
          icon={<Plus />}
          onClick={() => {
            const next = free.find((one) => one === 'equals') ?? free[0] ?? 'equals';
            onChange({ ...value, [next]: memberValue(next, memberDefault(next, '')) });
          }}
        >
          Add a condition
        </Button>
      )}
    </>
  );
}

function memberValue(member: PathDemand, text: string): string | boolean {
  return pathDemands[member].holds === 'presence' ? text === 'true' : text;
}

function memberDefault(member: PathDemand, before: string): string {
  const { holds } = pathDemands[member];
  if (holds === 'presence') return 'true';
  if (holds === 'type') return 'string';
  return before === 'true' || before === 'false' || jsonTypes.some((type) => type === before) ? '' : before;
}
