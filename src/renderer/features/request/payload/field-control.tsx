import { useId, useRef, useState } from 'react';
import { CalendarDays } from 'lucide-react';
import { isJson } from '#shared/json/format.ts';
import { combinedLength, type Field as SpecField } from '#shared/provider/index.ts';
import { sessionVariable } from '#shared/provider/tokens.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { TokenTextField } from '#renderer/ui/token-text-field.tsx';
import { pickedDateText, pickerValue } from './field-offers.ts';
import { itemsOf, numberJson, stringsJson, type FieldValue } from './form-model.ts';
import { Problem } from '#renderer/ui/problem.tsx';
import styles from './request-form.module.css';
import { hiddenCharacters } from '#shared/json/hidden-characters.ts';

interface FieldControlProps {
  readonly field: SpecField;
  readonly value: Exclude<FieldValue, { kind: 'absent' }>;
  /** Meaning of the value: at the right inside the frame, or below a list. */
  readonly meaning?: string | null;
  /** Limit of the characters of a list together; null without one. */
  readonly combined?: number | null;
  readonly onJson: (json: string) => void;
}

/** The control for one field. It writes JSON text, and nothing else of the request changes. */
export function FieldControl({ field, value, meaning = null, combined = null, onJson }: FieldControlProps) {
  if (value.kind === 'number') return <NumberControl field={field} json={value.json} onJson={onJson} />;
  if (value.kind === 'strings') return <ListControl {...{ field, meaning, combined, onJson }} items={value.items} />;
  if (value.kind === 'other') return <OtherControl field={field} value={value} onJson={onJson} />;
  const { values } = field;
  if (values !== undefined && (values.includes(value.value) || value.value === '')) {
    return (
      <SegmentedChoice
        label={field.name}
        options={values.map((one) => ({ value: one, label: one }))}
        value={values.includes(value.value) ? value.value : null}
        onChange={(next) => onJson(JSON.stringify(next))}
      />
    );
  }
  const OneLine = sessionVariable(field.name) !== null ? TokenTextField : TextField;
  return (
    <>
      <OneLine
        code
        value={value.value}
        aria-label={field.name}
        placeholder={field.mayBeEmpty === true ? 'empty' : undefined}
        suffix={
          field.format === 'dateTime' ? <DatePick value={value.value} onPick={(text) => onJson(JSON.stringify(text))} /> : meaning
        }
        onText={(text) => onJson(JSON.stringify(text))}
      />
      <HiddenNote text={value.value} />
    </>
  );
}

/** Numbers stay text from the key press to the wire; while the typed text is not a number, the request keeps the last one. */
function NumberControl({
  field,
  json,
  onJson,
}: {
  readonly field: SpecField;
  readonly json: string;
  readonly onJson: (json: string) => void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const problemId = useId();
  const wrong = draft !== null && numberJson(draft) === null;
  return (
    <>
      <TextField
        code
        inputMode="decimal"
        aria-label={field.name}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? problemId : undefined}
        value={draft ?? json}
        onText={(typed) => {
          const next = numberJson(typed);
          setDraft(next === typed ? null : typed);
          if (next !== null && next !== json) onJson(next);
        }}
        onBlur={() => setDraft(null)}
      />
      {wrong &&
        // Half a number is no mistake of who types it: nothing interrupts them.
        (/^-?\d*\.?\d*(?:e[+-]?)?$/i.test(draft) ? (
          <p id={problemId} className="quiet tiny">
            The request still has {json}.
          </p>
        ) : (
          <Problem id={problemId} className="bad tiny">
            Not a number. The request still has {json}.
          </Problem>
        ))}
    </>
  );
}

function ListControl({
  field,
  items,
  meaning,
  combined,
  onJson,
}: {
  readonly field: SpecField;
  readonly items: readonly string[];
  readonly meaning: string | null;
  readonly combined: number | null;
  readonly onJson: (json: string) => void;
}) {
  // The text being typed may end in a line break that no item has yet.
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft !== null && sameItems(itemsOf(draft), items) ? draft : items.join('\n');
  return (
    <>
      <TextArea
        code
        rows={Math.min(Math.max(items.length, 2), 6)}
        aria-label={field.name}
        value={shown}
        wrap="off"
        placeholder="One per line"
        onText={(text) => {
          const next = itemsOf(text.includes('\n') ? text : `${text}\n`);
          setDraft(text);
          if (!sameItems(next, items)) onJson(stringsJson(next));
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          if (items.length > 0 && shown !== '' && pasted.includes('\n')) return;
          const next = itemsOf(pasted);
          if (next.length < 2 || shown !== '') return;
          event.preventDefault();
          setDraft(null);
          onJson(stringsJson(next));
        }}
        onBlur={() => setDraft(null)}
      />
      <p className="faint tiny">
        {items.length === 1 ? '1 value' : `${items.length.toLocaleString('en')} values`}
        {combined === null
          ? ''
          : `, ${combinedLength(items).toLocaleString('en')} of ${combined.toLocaleString('en')} characters`}
      </p>
      <HiddenNote text={items.join('')} />
      {meaning === null ? null : <p className="faint tiny">{meaning}</p>}
    </>
  );
}

/** Edits the JSON text of a value of an unexpected type, which stays as it was typed. */
function OtherControl({
  field,
  value,
  onJson,
}: {
  readonly field: SpecField;
  readonly value: Extract<FieldValue, { kind: 'other' }>;
  readonly onJson: (json: string) => void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? value.json.replace(/\s*\n\s*/g, ' ');
  return (
    <>
      <TextField
        code
        aria-label={`${field.name}, JSON text`}
        value={shown}
        suffix={`JSON: ${value.what}`}
        onText={(typed) => {
          setDraft(typed);
          if (isJson(typed)) onJson(typed.trim());
        }}
        onBlur={() => setDraft(null)}
      />
      <HiddenNote text={shown} />
    </>
  );
}

function DatePick({ value, onPick }: { readonly value: string; readonly onPick: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="datetime-local"
        step={1}
        tabIndex={-1}
        aria-hidden="true"
        className={styles.picker}
        value={pickerValue(value)}
        onChange={(event) => {
          const text = pickedDateText(event.target.value);
          if (text !== null) onPick(text);
        }}
      />
      <IconButton small label="Pick a date" icon={<CalendarDays />} onClick={() => input.current?.showPicker()} />
    </>
  );
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Names the characters of a value that its field cannot show, with their code points; draws nothing without such characters. */
function HiddenNote({ text }: { readonly text: string }) {
  const names = hiddenCharacters(text);
  if (names.length === 0) return null;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return <p className="warn tiny">{`Not visible in this value: ${shown}${more}.`}</p>;
}

const MOST_NAMED = 6;
