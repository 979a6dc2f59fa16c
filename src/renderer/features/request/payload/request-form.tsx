import { memo, useMemo, type ReactNode } from 'react';
import { CodeXml, Plus, X } from 'lucide-react';
import type { Finding, SandboxPlayer } from '#shared/ipc/index.ts';
import type { Environment } from '#shared/model/environment.ts';
import { removeMember, setMember } from '#shared/payload-text/edit.ts';
import { sessionVariable } from '#shared/provider/tokens.ts';
import {
  answerWords,
  combinedLimit,
  fieldNotes,
  isRecordedStanding,
  notShownOf,
  notStatedMeaning,
  operationNotes,
  recordedAnswer,
  standingOf,
  type KnownGames,
  type Field as SpecField,
  type Operation,
  type Recorded,
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
import { readForm, type FieldValue, type FormModel, type UnknownMember } from './form-model.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './request-form.module.css';

const tones = { error: 'bad', warning: 'warn', note: 'quiet' } as const;

interface RequestFormProps {
  readonly operation: Operation;
  readonly form: SpecForm;
  readonly text: string;
  readonly environment: Environment | null;
  readonly findings: readonly Finding[];
  /** Players of the built-in provider, offered for a field that takes a session token. */
  readonly players: readonly SandboxPlayer[];
  readonly games: KnownGames | null;
  readonly now: () => number;
  /** The spec's facts about the operation, above its fields. */
  readonly about: ReactNode;
  readonly onText: (text: string) => void;
  readonly onForm: (form: string) => void;
  readonly onOpenEditor: () => void;
  readonly onOpenPoint: (openPointId: string) => void;
}

/** The operation's fields over the same text as the editor: each edit replaces one field and leaves every other byte. */
export const RequestForm = memo(function RequestForm(props: RequestFormProps) {
  const { operation, form, text, findings, onText, onForm, onOpenEditor } = props;
  const model = useMemo(() => readForm(text, form.fields), [text, form]);
  const whole = findings.filter((finding) => finding.path === '' && finding.rule !== 'syntax');

  return (
    <div className={styles.whole}>
      {props.about}
      {operation.forms.length > 1 && (
        <div className={styles.forms}>
          <Field label="Form">
            <Select
              value={form.id}
              options={operation.forms.map((one) => ({ value: one.id, label: titleOf(one, operation) }))}
              onChange={onForm}
            />
          </Field>
        </div>
      )}
      {model.kind === 'notJson' || model.kind === 'notObject' || model.kind === 'tooLarge' ? (
        <EmptyState
          icon={<CodeXml />}
          title="The form can't show this text"
          action={<Button onClick={onOpenEditor}>Open the editor</Button>}
        >
          {unreadWords(model)} Your text is kept.
        </EmptyState>
      ) : form.fields.length === 0 && form.recorded !== true ? (
        <OpenForm {...props} members={model.kind === 'fields' ? model.unknown : []} />
      ) : (
        <div className={styles.form}>
          {form.fields.length > 0 ? null : <p className="quiet small">Recorded answer: this request has no fields.</p>}
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
            <Members label="Not in the spec" members={model.unknown} text={text} onText={onText} />
          )}
          {form.fields.some(({ required }) => required === 'unstated') && <p className="faint tiny">? {notStatedMeaning}</p>}
          <RecordedNotes operation={operation} environment={props.environment} />
          {whole.map((finding) => (
            <p key={finding.rule + finding.message} className={classNames('small', tones[finding.severity])}>
              {finding.message}
            </p>
          ))}
        </div>
      )}
    </div>
  );
});

/** Fields of the text that the form does not have. */
function Members({
  label,
  members,
  text,
  onText,
}: {
  readonly label: string;
  readonly members: readonly UnknownMember[];
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  return (
    <Field label={label} group>
      <ul className="stack-tight">
        {members.map((member) => (
          <li key={member.name} className="line">
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
  );
}

/** Returns a form's title, with its version if it is newer than the operation. */
function titleOf(form: SpecForm, operation: Operation): string {
  return form.since === operation.since ? form.title : `${form.title} (since ${form.since})`;
}

/** Shows the answers recorded for the environment about the operation as a whole. */
function RecordedNotes({ operation, environment }: Pick<RequestFormProps, 'operation' | 'environment'>) {
  const notes = environment === null ? [] : operationNotes(operation, environment.answers);
  if (notes.length === 0) return null;
  return (
    <Field label="Recorded answers" group>
      <ul className="stack-tight quiet small">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Field>
  );
}

/** Puts short codes of two characters into one row, such as `lang, country`, at the position of the last of them. */
function rows(fields: readonly SpecField[]): SpecField[][] {
  const short = fields.filter((field) => field.exactLength === 2);
  if (short.length !== 2) return fields.map((field) => [field]);
  return fields.filter((field) => field !== short[0]).map((field) => (field === short[1] ? short : [field]));
}

function FieldRow(props: RequestFormProps & { readonly field: SpecField; readonly value: FieldValue }) {
  const { field, value, text, operation, environment, games, onText } = props;
  const all = fieldNotes(operation, field, environment?.answers ?? {});
  const notes = saysMore(all, field, operation) ? all : '';
  const note = noteOf(field);
  if (value.kind === 'absent') {
    return (
      <Field label={labelOf(field)} code note={note} group hint={notes} warning={warningsOf(props).join(' ')}>
        <span className={styles.absent}>
          Left out
          <Button variant="quiet" icon={<Plus />} onClick={() => onText(setMember(text, field.name, initialJson(field, props)))}>
            Add
          </Button>
        </span>
      </Field>
    );
  }
  const meaning = namesOf(field, value, games);
  return (
    <div className={styles.row}>
      <Field label={labelOf(field)} code note={note} hint={hintOf({ ...props, notes })} warning={warningsOf(props).join(' ')}>
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
  const { pair, text, operation, environment, onText } = props;
  if (pair.some(({ value }) => value.kind === 'absent')) {
    return pair.map(({ field, value }) => <FieldRow key={field.name} {...props} field={field} value={value} />);
  }
  return (
    <Field
      label={pair.map(({ field }) => field.name).join(', ')}
      code
      group
      note={[...new Set(pair.map(({ field }) => standingOf(field)))].join(', ')}
      hint={pair.map(({ field }) => fieldNotes(operation, field, environment?.answers ?? {})).join(' ')}
      warning={pair.flatMap(({ field, value }) => warningsOf({ ...props, field, value })).join(' ')}
    >
      <div className="line">
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

/** Returns the names that the newest game list has for a field's games; empty if it names none of them. */
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

/** Returns whether notes have a word that neither the field's label and values nor the rules about it in *About this operation* have. */
function saysMore(notes: string, { name, values = [] }: SpecField, { rules }: Operation): boolean {
  const named = rules.filter((rule) => rule.includes(name));
  const known = [name, ...values, ...named, "or as a the operator's player's session string code identifier address"]
    .join(' ')
    .toLowerCase();
  return (notes.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).some((word) => !known.includes(word));
}

/** Returns the help for a field: its description, and values that one click puts in. */
function hintOf(props: RowProps & { readonly notes: string }): ReactNode {
  const { field, value, text, environment, now, onText, notes } = props;
  const parts: ReactNode[] = [];
  // Under a filled field, too: the meaning of a value matters once there is one.
  if (notes !== '') parts.push(<span key="notes">{notes}</span>);
  if (sessionVariable(field.name) !== null && props.environment?.kind === 'sandbox' && props.players.length > 0)
    parts.push(<Tokens key="tokens" {...props} />);
  for (const offer of fieldOffers(field, value, environment, now)) {
    parts.push(
      <button
        key={offer.label}
        type="button"
        className="link tiny"
        onClick={() => onText(setMember(text, field.name, offer.json()))}
      >
        {offer.label}
      </button>,
    );
  }
  return parts.length === 0 ? null : <span className="wrap">{parts}</span>;
}

function Tokens({ field, text, form, players, onText }: RowProps) {
  function take(player: SandboxPlayer) {
    let next = setMember(text, field.name, JSON.stringify(player.externalToken));
    // A token belongs to its player: the rest of the session goes with it, if the operation has those fields.
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

/**
 * The form of an operation whose request the spec does not show: the parts that are open, and the way to record the provider's
 * answer to each.
 */
function OpenForm(props: RequestFormProps & { readonly members: readonly UnknownMember[] }) {
  const { operation, environment, text, members, onText, onOpenEditor, onOpenPoint } = props;
  const parts = notShownOf(operation);
  const where = operation.endpoint === 'wallet' ? `Sent as POST {base_url}${operation.path}.` : '';
  return (
    <div className={styles.openForm}>
      <h3 className="medium">The spec doesn&apos;t show the fields of this request</h3>
      <p className="quiet">
        {`${where} Ask the provider for the missing parts, record the answers, and write the fields in the editor.`.trim()}
      </p>
      <ul className={styles.notShown}>
        {parts.map(({ part, point }) => {
          const recorded = recordedAnswer(point, environment?.answers ?? {});
          return (
            <li key={point}>
              <span>{capitalized(part)}</span>
              <span className="faint">
                {recorded.state === 'valid'
                  ? `recorded: ${answerWords(recorded.value)}`
                  : recorded.state === 'invalid'
                    ? 'recorded, invalid'
                    : 'not in the spec'}
              </span>
              <button
                type="button"
                className="link tiny"
                aria-label={`${openWord(recorded)} the ${part}`}
                onClick={() => onOpenPoint(point)}
              >
                {openWord(recorded)}
              </button>
            </li>
          );
        })}
      </ul>
      {members.length > 0 && <Members label="This request" members={members} text={text} onText={onText} />}
      <RecordedNotes operation={operation} environment={environment} />
      <Button icon={<CodeXml />} onClick={onOpenEditor}>
        {text.trim() === '' || text.trim() === '{}' ? 'Add fields' : 'Open the editor'}
      </Button>
    </div>
  );
}

function openWord({ state }: Recorded): string {
  return state === 'none' ? 'Record' : 'See';
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function initialJson(field: SpecField, { environment, now }: RequestFormProps): string {
  const [offer] = fieldOffers(field, { kind: 'absent' }, environment, now);
  return offer?.json() ?? field.example;
}

/** Lets a long name break before its capitals. */
function breakable(name: string): ReactNode {
  if (name.length <= 18) return name;
  return name.split(/(?=[A-Z])/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={part} />, part]));
}

/** Returns a field's name, with a mark if the spec does not say whether it is required. */
function labelOf(field: SpecField): ReactNode {
  if (field.required !== 'unstated') return breakable(field.name);
  return (
    <>
      {breakable(field.name)}
      <span className={styles.notStated} title={notStatedMeaning}>
        {' '}
        <span aria-hidden>?</span>
        <span className="visually-hidden">{standingOf(field)}</span>
      </span>
    </>
  );
}

/** Returns the small words under a field's name: whether it is required, and its limit. */
function noteOf(field: SpecField): string {
  const standing = field.required === 'unstated' ? [] : [`${standingOf(field)}${isRecordedStanding(field) ? ' (recorded)' : ''}`];
  return [...standing, ...shortLimit(field)].join(', ');
}

function shortLimit(field: SpecField): string[] {
  if (field.exactLength !== undefined) return [`${field.exactLength} characters`];
  if (field.maxLength !== undefined) return [`≤ ${field.maxLength}`];
  if (field.mayBeEmpty === true) return ['may be empty'];
  return field.type === 'bigint' ? ['≤ 64 bits'] : [];
}

/** Returns why there is no form. */
function unreadWords(model: Extract<FormModel, { kind: 'notJson' | 'notObject' | 'tooLarge' }>): string {
  if (model.kind === 'tooLarge') return model.message;
  if (model.kind === 'notJson') return `${model.message} (line ${model.line}, column ${model.column}).`;
  return `The form needs an object; the text is ${model.what}.`;
}
