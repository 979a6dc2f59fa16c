import { memo, useMemo, type ReactNode } from 'react';
import { CodeXml, Plus, X } from 'lucide-react';
import type { Finding, SandboxPlayer } from '#shared/ipc/index.ts';
import type { Environment } from '#shared/ipc/environments.ts';
import { removeMember, setMember } from '#shared/json/edit.ts';
import {
  actionGapOf,
  combinedLimit,
  fieldNotes,
  type KnownGames,
  type Field as SpecField,
  type Operation,
  type RequestForm as SpecForm,
} from '#shared/provider/index.ts';
import { SessionTokens } from '#renderer/calls/session-tokens.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { FieldControl } from './field-control.tsx';
import { fieldOffers } from './field-offers.ts';
import { readForm, type FieldValue } from './form-model.ts';
import styles from './request-form.module.css';

interface RequestFormProps {
  readonly operation: Operation;
  readonly form: SpecForm;
  readonly text: string;
  readonly environment: Environment | null;
  readonly findings: readonly Finding[];
  /** Players of the built-in provider, offered where a session token is asked for. */
  readonly players: readonly SandboxPlayer[];
  readonly games: KnownGames | null;
  readonly now: () => number;
  readonly onText: (text: string) => void;
  readonly onForm: (form: string) => void;
  readonly onOpenEditor: () => void;
  readonly onOpenPoint: (gapId: string) => void;
}

/** The operation's fields over the same text as the editor: each edit replaces one member and leaves every other byte. */
export const RequestForm = memo(function RequestForm(props: RequestFormProps) {
  const { operation, form, text, findings, onText, onForm, onOpenEditor } = props;
  const model = useMemo(() => readForm(text, form.fields), [text, form]);
  const whole = findings.filter((finding) => finding.path === '' && finding.rule !== 'syntax');

  return (
    <div className={styles.scroll}>
      {operation.forms.length > 1 && (
        <div className={styles.forms}>
          <Field label="Form">
            <Select
              value={form.id}
              options={operation.forms.map((one) => ({ value: one.id, label: one.title }))}
              onChange={onForm}
            />
          </Field>
        </div>
      )}
      {model.kind === 'notJson' || model.kind === 'notObject' ? (
        <EmptyState
          icon={<CodeXml />}
          title="The form cannot read this text"
          action={<Button onClick={onOpenEditor}>Open the editor</Button>}
        >
          {model.kind === 'notJson'
            ? `${model.message} (line ${model.line}, column ${model.column}).`
            : `The form needs an object; the text is ${model.what}.`}{' '}
          What you typed is kept as it is.
        </EmptyState>
      ) : form.fields.length === 0 ? (
        <OpenForm {...props} />
      ) : (
        <div className={styles.form}>
          {rows(form.fields).map((row) => {
            const value = (field: SpecField): FieldValue =>
              (model.kind === 'fields' ? model.values.get(field.name) : undefined) ?? { kind: 'absent' };
            return row.length === 1 && row[0] !== undefined ? (
              <FieldRow key={row[0].name} {...props} field={row[0]} value={value(row[0])} />
            ) : (
              <PairRow
                key={row.map((field) => field.name).join()}
                {...props}
                pair={row.map((field) => ({ field, value: value(field) }))}
              />
            );
          })}
          {model.kind === 'fields' && model.unknown.length > 0 && (
            <Field label="Beside the spec" note="not in its fields" group>
              <ul className={styles.unknown}>
                {model.unknown.map((member) => (
                  <li key={member.name}>
                    <code>{member.name}</code>
                    <code className={styles.raw}>{member.json}</code>
                    <IconButton
                      small
                      label={`Leave out ${member.name}`}
                      icon={<X />}
                      onClick={() => onText(removeMember(text, member.name))}
                    />
                  </li>
                ))}
              </ul>
            </Field>
          )}
          {whole.map((finding) => (
            <p key={finding.rule + finding.message} className={styles.whole} data-severity={finding.severity}>
              {finding.message}
            </p>
          ))}
        </div>
      )}
    </div>
  );
});

/** Short codes of two characters share a row, as `lang, country` do, at the place of the last of them. */
function rows(fields: readonly SpecField[]): SpecField[][] {
  const short = fields.filter((field) => field.exactLength === 2);
  if (short.length !== 2) return fields.map((field) => [field]);
  return fields.filter((field) => field !== short[0]).map((field) => (field === short[1] ? short : [field]));
}

function FieldRow(props: RequestFormProps & { readonly field: SpecField; readonly value: FieldValue }) {
  const { field, value, text, operation, environment, games, onText } = props;
  const notes = fieldNotes(operation, field, environment?.answers ?? {});
  const limit = shortLimit(field);
  if (value.kind === 'absent') {
    return (
      <Field label={breakable(field.name)} code note={limit} group hint={notes} warning={warningsOf(props).join(' ')}>
        <span className={styles.absent}>
          Left out
          <Button
            variant="quiet"
            icon={<Plus aria-hidden="true" />}
            onClick={() => onText(setMember(text, field.name, initialJson(field, props)))}
          >
            Add
          </Button>
        </span>
      </Field>
    );
  }
  const meaning = namesOf(field, value, games);
  return (
    <div className={styles.row}>
      <Field
        label={breakable(field.name)}
        code
        note={limit}
        hint={hintOf({ ...props, notes })}
        warning={warningsOf(props).join(' ')}
      >
        <FieldControl
          field={field}
          value={value}
          meaning={meaning === '' ? null : meaning}
          combined={props.form.combined?.includes(field.name) === true ? combinedLimit : null}
          onJson={(json) => onText(setMember(text, field.name, json))}
        />
      </Field>
      <IconButton
        small
        className={styles.remove}
        label={`Leave out ${field.name}`}
        icon={<X />}
        side="left"
        onClick={() => onText(removeMember(text, field.name))}
      />
    </div>
  );
}

function PairRow(
  props: RequestFormProps & { readonly pair: readonly { readonly field: SpecField; readonly value: FieldValue }[] },
) {
  const { pair, text, onText } = props;
  if (pair.some(({ value }) => value.kind === 'absent')) {
    return pair.map(({ field, value }) => <FieldRow key={field.name} {...props} field={field} value={value} />);
  }
  return (
    <Field
      label={pair.map(({ field }) => field.name).join(', ')}
      code
      group
      warning={pair.flatMap(({ field, value }) => warningsOf({ ...props, field, value })).join(' ')}
    >
      <div className={styles.pair}>
        {pair.map(({ field, value }) =>
          value.kind === 'absent' ? null : (
            <FieldControl
              key={field.name}
              field={field}
              value={value}
              onJson={(json) => onText(setMember(text, field.name, json))}
            />
          ),
        )}
      </div>
    </Field>
  );
}

/** What the newest game list calls the games that a field names; empty where it names none of them. */
function namesOf(field: SpecField, value: FieldValue, games: KnownGames | null): string {
  if (games === null || (field.name !== 'gameId' && field.name !== 'gameIds')) return '';
  const nameOf = (id: string) => games.byId.get(id)?.name ?? '';
  if (value.kind === 'string') return nameOf(value.value);
  if (value.kind !== 'strings') return '';
  const named = value.items.filter((id) => nameOf(id) !== '').map((id) => `${id} ${nameOf(id)}`);
  return named.slice(0, MOST_NAMED).join(', ') + (named.length > MOST_NAMED ? ', …' : '');
}

const MOST_NAMED = 5;

type RowProps = RequestFormProps & { readonly field: SpecField; readonly value: FieldValue };

/** What helps with a field: its note while it is empty, and values that one click puts in. */
function hintOf(props: RowProps & { readonly notes: string }): ReactNode {
  const { field, value, text, operation, environment, now, onText, notes } = props;
  const parts: ReactNode[] = [];
  if (field.required === 'realMode' && operation.endpoint === 'service')
    parts.push(<span key="need">Required in real mode.</span>);
  // A filled text needs no note beside it: the editor has it.
  else if (value.kind !== 'string' || value.value === '' || field.unique === true) parts.push(<span key="notes">{notes}</span>);
  const tokens = field.name === 'externalToken' || field.name === 'token';
  if (tokens && props.environment?.kind === 'sandbox' && props.players.length > 0) parts.push(<Tokens key="tokens" {...props} />);
  for (const offer of fieldOffers(field, value, environment, now)) {
    parts.push(
      <button
        key={offer.label}
        type="button"
        className={styles.offer}
        onClick={() => onText(setMember(text, field.name, offer.json()))}
      >
        {offer.label}
      </button>,
    );
  }
  return parts.length === 0 ? null : <span className={styles.hints}>{parts}</span>;
}

function Tokens({ field, text, form, players, onText }: RowProps) {
  function take(player: SandboxPlayer) {
    let next = setMember(text, field.name, JSON.stringify(player.externalToken));
    // A token belongs to its player: the rest of the session goes with it, where the operation has it.
    const session = { playerId: player.playerId, currency: player.currency, country: player.country };
    for (const [name, value] of Object.entries(session)) {
      if (form.fields.some((one) => one.name === name)) next = setMember(next, name, JSON.stringify(value));
    }
    onText(next);
  }
  const isTaken = ({ externalToken }: SandboxPlayer) => text.includes(JSON.stringify(externalToken));
  return <SessionTokens players={players} isTaken={isTaken} onTake={take} />;
}

function warningsOf({ field, findings }: RowProps): string[] {
  const path = `/${field.name}`;
  return findings
    .filter((finding) => finding.path === path || finding.path.startsWith(`${path}/`))
    .slice(0, 3)
    .map((finding) => finding.message);
}

/** An operation whose request the spec does not show. */
function OpenForm({ operation, text, onOpenEditor, onOpenPoint }: RequestFormProps) {
  const gap = actionGapOf(operation) ?? operation.gaps[0];
  return (
    <EmptyState
      icon={<CodeXml />}
      title="The spec does not show this request"
      action={
        <>
          <Button onClick={onOpenEditor}>{text.trim() === '' ? 'Write the data yourself' : 'Open the editor'}</Button>
          {gap !== undefined && <Button onClick={() => onOpenPoint(gap)}>Record the provider&apos;s answer</Button>}
        </>
      }
    >
      Neither its action name nor its fields are shown. Ask the provider, record the answer as an open point, and send what they
      tell you.
    </EmptyState>
  );
}

function initialJson(field: SpecField, { environment, now }: RequestFormProps): string {
  const [offer] = fieldOffers(field, { kind: 'absent' }, environment, now);
  return offer?.json() ?? field.example;
}

/** A long name may break before its capitals. */
function breakable(name: string): ReactNode {
  if (name.length <= 18) return name;
  return name.split(/(?=[A-Z])/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={part} />, part]));
}

function shortLimit(field: SpecField): string | undefined {
  if (field.exactLength !== undefined) return `${field.exactLength} characters`;
  if (field.maxLength !== undefined) return `up to ${field.maxLength}`;
  if (field.mayBeEmpty === true) return 'may be empty';
  if (field.type === 'bigint') return 'up to 64 bits';
  return undefined;
}
