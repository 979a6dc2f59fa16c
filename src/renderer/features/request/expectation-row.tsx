import { useId } from 'react';
import { Plus, X } from 'lucide-react';
import type { Expectation } from '#shared/collections/model.ts';
import { answerPath, jsonTypes } from '#shared/collections/file-limits.ts';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { Problem } from '#renderer/ui/problem.tsx';
import styles from './checks-view.module.css';
import { isComplete } from './complete-check.ts';

const kinds = {
  code: 'Code is',
  status: 'HTTP status is',
  withinMs: 'Answered within (ms)',
  shape: 'Shape as documented',
  balance: 'Balance is',
  path: 'Value at',
} as const;
type Kind = keyof typeof kinds;

const members = {
  present: 'is there',
  type: 'is of type',
  equals: 'equals',
  not: 'is not',
  contains: 'contains',
  matches: 'matches',
  above: 'is above',
  atLeast: 'is at least',
  below: 'is below',
  atMost: 'is at most',
  count: 'counts',
} as const;
type Member = keyof typeof members;
type PathExpectation = Extract<Expectation, { path: string }>;

const kindOptions = (Object.keys(kinds) as Kind[]).map((value) => ({ value, label: kinds[value] }));

/** Returns a new check of a kind. */
export function newExpectation(kind: Kind): Expectation {
  const made: Record<Kind, Expectation> = {
    code: { code: '0' },
    status: { status: '200' },
    withinMs: { withinMs: '1000' },
    shape: { shape: 'documented' },
    balance: { balance: { before: '{{balance}}', change: '0' } },
    path: { path: '/', present: true },
  };
  return made[kind];
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
  const kind = kindOf(value);
  const name = `Check ${number}`;
  return (
    <li className={styles.check} data-failed-check={failure !== null || undefined}>
      {failure === null ? null : <p className={styles.failure}>{failure}</p>}
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
        <Problem id={problemId} className={styles.problem}>
          {'path' in value && !answerPath.begins(value.path)
            ? 'Begin the path with / (JSON Pointer) or $ (JSONPath).'
            : 'This check is not complete.'}
        </Problem>
      )}
    </li>
  );
}

function kindOf(value: Expectation): Kind {
  return (Object.keys(kinds) as Kind[]).find((kind) => kind in value) ?? 'code';
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
  if ('code' in value) return field('code', value.code, (code) => ({ code }));
  if ('status' in value) return field('status', value.status, (status) => ({ status }));
  if ('withinMs' in value) return field('milliseconds', value.withinMs, (withinMs) => ({ withinMs }));
  if ('path' in value) return field('path', value.path, (path) => ({ ...value, path }));
  if ('shape' in value) return <span className={styles.words}>No warning and no error about the response</span>;
  const { before, change } = value.balance;
  return (
    <>
      {field('balance before', before, (text) => ({ balance: { before: text, change } }))}
      <span className={styles.words}>plus</span>
      {field('change', change, (text) => ({ balance: { before, change: text } }))}
    </>
  );
}

function PathMembers({ name, value, onChange }: ValueProps & { readonly value: PathExpectation }) {
  const present = (Object.keys(value) as (keyof PathExpectation)[]).filter((key): key is Member => key !== 'path');
  const free = (Object.keys(members) as Member[]).filter((member) => value[member] === undefined);
  /** Keeps the order, which is that of the file. */
  const replaced = (from: Member, to: Member, content: string): PathExpectation => ({
    path: value.path,
    ...Object.fromEntries(present.map((member) => (member === from ? [to, memberValue(to, content)] : [member, value[member]]))),
  });
  return (
    <>
      {present.map((member) => {
        const content = String(value[member]);
        const choose = (options: readonly string[]) => (
          <Select
            aria-label={`${name}, ${members[member]}`}
            options={options.map((one) => ({ value: one, label: one }))}
            value={content}
            onChange={(next) => onChange(replaced(member, member, next))}
          />
        );
        return (
          <div key={member} className={styles.member}>
            <Select
              aria-label={`${name}, comparison`}
              options={[member, ...free].map((one) => ({ value: one, label: members[one] }))}
              value={member}
              onChange={(next) => onChange(replaced(member, next, memberDefault(next, content)))}
              className={styles.kind}
            />
            {member === 'present' ? (
              choose(['true', 'false'])
            ) : member === 'type' ? (
              choose(jsonTypes)
            ) : (
              <TextField
                code
                aria-label={`${name}, ${members[member]}`}
                value={content}
                onText={(next) => onChange(replaced(member, member, next))}
              />
            )}
            <IconButton
              small
              label={`Remove "${members[member]}"`}
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
          icon={<Plus aria-hidden="true" />}
          onClick={() => {
            const next = free.find((one) => one === 'equals') ?? free[0] ?? 'equals';
            onChange({ ...value, [next]: memberValue(next, memberDefault(next, '')) });
          }}
        >
          And
        </Button>
      )}
    </>
  );
}

function memberValue(member: Member, text: string): string | boolean {
  return member === 'present' ? text === 'true' : text;
}

function memberDefault(member: Member, before: string): string {
  if (member === 'present') return 'true';
  if (member === 'type') return 'string';
  return before === 'true' || before === 'false' || jsonTypes.some((type) => type === before) ? '' : before;
}
