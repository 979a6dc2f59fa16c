import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { AnswerType } from '#shared/provider/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { valueRows, valueText, type ValueRow } from './answer-rows.ts';
import { AnswerTextField, EditorGroup, type EditorProps } from './editor-parts.tsx';
import styles from './answer-table.module.css';

const heads = {
  integer: ['Value', 'Meaning'],
  name: ['Name', 'Meaning'],
  state: ['State, such as round.open', 'Meaning'],
  transition: ['Transition, such as round.open > round.finished', 'Cause'],
  statuses: ['Code, or * for any other', 'HTTP status'],
} as const;

const none: ValueRow = { name: '', meaning: '' };

/** A table of values with a meaning each, or of codes with an HTTP status each. */
export function ValuesEditor({
  point,
  answer,
  text,
  problem,
  onText,
}: EditorProps & { readonly answer: Extract<AnswerType, { kind: 'values' | 'statuses' }> }) {
  const [state, setState] = useState(() => ({ text, rows: valueRows(text) ?? [] }));
  const read = valueRows(text);
  // Empty rows are not in the text, so they are kept here.
  const kept = state.text === text ? state.rows : (read ?? []);
  if (read === null) return <AnswerTextField text={text} problem={problem} onText={onText} />;
  const meaning = answer.kind === 'statuses' ? 'number' : 'text';
  const [nameHead, meaningHead] = heads[answer.kind === 'statuses' ? 'statuses' : answer.of];
  const rows = kept.length === 0 && text !== '{}' ? [none] : kept;
  const write = (next: readonly ValueRow[]) => {
    const written = valueText(next, meaning);
    setState({ text: written, rows: [...next] });
    onText(written);
  };
  const change = (at: number, part: Partial<ValueRow>) =>
    write(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const mayBeEmpty = answer.kind === 'values' && answer.mayBeEmpty === true;
  return (
    <EditorGroup point={point} problem={problem}>
      {mayBeEmpty ? (
        <Checkbox
          checked={text === '{}'}
          onChange={(empty) => {
            setState({ text: empty ? '{}' : '', rows: [] });
            onText(empty ? '{}' : '');
          }}
        >
          {' '}
          None{' '}
        </Checkbox>
      ) : null}
      {rows.length === 0 ? null : (
        <div className={styles.values}>
          <span className="quiet small">{nameHead}</span>
          <span className="quiet small">{meaningHead}</span>
          <span />
          {rows.map((row, at) => (
            // Rows have no name of their own: a value changes while it is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={at} className={styles.row}>
              <TextField
                code
                aria-label={`${nameHead}, row ${at + 1}`}
                value={row.name}
                onText={(name) => change(at, { name })}
              />
              <TextField
                aria-label={`${meaningHead}, row ${at + 1}`}
                value={row.meaning}
                onText={(next) => change(at, { meaning: next })}
              />
              <IconButton
                small
                label={`Remove row ${at + 1}`}
                icon={<X />}
                onClick={() => write(rows.filter((_, index) => index !== at))}
              />
            </div>
          ))}
        </div>
      )}
      <div>
        <Button
          icon={<Plus />}
          onClick={() => setState({ text: text === '{}' ? '' : text, rows: [...rows, none] })}
          disabled={text === '{}'}
        >
          {' '}
          Add row{' '}
        </Button>
      </div>
    </EditorGroup>
  );
}
