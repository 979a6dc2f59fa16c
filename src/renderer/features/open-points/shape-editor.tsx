import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { shapeTypeNames, type AnswerType } from '#shared/provider/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { fieldRows, fieldText, type FieldRow, type FieldRows } from './answer-rows.ts';
import { AnswerTextField, EditorGroup, type EditorProps } from './editor-parts.tsx';
import styles from './answer-table.module.css';

const empty: FieldRow = { name: '', type: 'string', optional: false, meaning: '' };
const hints = {
  request: 'Fields of the request. Use dots for objects and [] for arrays, as in players[].id.',
  data: 'Fields of data. Use dots for objects and [] for arrays: [].id is a field of each element.',
  body: 'Fields of the whole response. Use dots for objects and [] for arrays, as in data.token.',
} as const;

/** A table of fields with their types; a shape that a table cannot hold is edited as text. */
export function ShapeEditor({
  point,
  answer,
  text,
  problem,
  onText,
}: EditorProps & { readonly answer: Extract<AnswerType, { kind: 'shape' }> }) {
  const [state, setState] = useState<{ text: string; read: FieldRows }>({ text: '\0', read: { rows: [], rest: false } });
  const [asText, setAsText] = useState(false);
  const read = fieldRows(text);
  if (read === null || asText) {
    return (
      <>
        <AnswerTextField text={text} problem={problem} onText={onText} />
        {read === null ? null : (
          <div>
            <Button variant="quiet" onClick={() => setAsText(false)}>
              {' '}
              Edit as table{' '}
            </Button>
          </div>
        )}
      </>
    );
  }
  // Rows without a name are not in the text, so they are kept here.
  const kept = state.text === text ? state.read : read;
  const rows = kept.rows.length === 0 && text !== '{}' ? [empty] : kept.rows;
  const write = (next: FieldRows) => {
    const written = fieldText(next);
    setState({ text: written, read: next });
    onText(written);
  };
  const change = (at: number, part: Partial<FieldRow>) =>
    write({ ...kept, rows: rows.map((row, index) => (index === at ? { ...row, ...part } : row)) });
  return (
    <EditorGroup point={point} problem={problem}>
      <p className="quiet small">{hints[answer.of]}</p>
      <Checkbox
        checked={text === '{}'}
        onChange={(none) => {
          setState({ text: none ? '{}' : '', read: { rows: [], rest: false } });
          onText(none ? '{}' : '');
        }}
      >
        {' '}
        No fields{' '}
      </Checkbox>
      {rows.length === 0 ? null : (
        <div className={styles.shape}>
          <span className="quiet small">Field</span>
          <span className="quiet small">Type</span>
          <span className="quiet small">Meaning</span>
          <span className="quiet small">Optional</span>
          <span />
          {rows.map((row, at) => (
            // Rows have no name of their own: a field's name changes while it is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={at} className={styles.row}>
              <TextField code aria-label={`Field, row ${at + 1}`} value={row.name} onText={(name) => change(at, { name })} />
              <Select
                code
                aria-label={`Type, row ${at + 1}`}
                options={typesWith(row.type)}
                value={row.type}
                onChange={(type) => change(at, { type })}
              />
              <TextField
                aria-label={`Meaning, row ${at + 1}`}
                value={row.meaning}
                onText={(meaning) => change(at, { meaning })}
              />
              <Checkbox checked={row.optional} onChange={(optional) => change(at, { optional })}>
                <span className="visually-hidden">{`Field ${at + 1} may be left out`}</span>
              </Checkbox>
              <IconButton
                small
                label={`Remove row ${at + 1}`}
                icon={<X />}
                onClick={() => write({ ...kept, rows: rows.filter((_, index) => index !== at) })}
              />
            </div>
          ))}
        </div>
      )}
      <div className="line-wrap">
        <Button
          icon={<Plus />}
          disabled={text === '{}'}
          onClick={() => setState({ text, read: { ...kept, rows: [...rows, empty] } })}
        >
          {' '}
          Add field{' '}
        </Button>
        <Button variant="quiet" onClick={() => setAsText(true)}>
          Edit as text
        </Button>
        {answer.of === 'request' && text === '{}' ? null : (
          <Checkbox checked={kept.rest} disabled={text === '{}'} onChange={(rest) => write({ rows, rest })}>
            {' '}
            May have more fields{' '}
          </Checkbox>
        )}
      </div>
    </EditorGroup>
  );
}

/** Returns the types, and the one of the text if it is not among them. */
function typesWith(type: string): readonly { value: string; label: string }[] {
  const names: readonly string[] = shapeTypeNames;
  return (names.includes(type) ? names : [type, ...names]).map((name) => ({ value: name, label: name }));
}
