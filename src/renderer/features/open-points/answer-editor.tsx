import { EditorGroup, type EditorProps } from './editor-parts.tsx';
import { useId } from 'react';
import { RadioGroup } from 'radix-ui';
import { unstatedFields, type AnswerType } from '#shared/provider/index.ts';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { ShapeEditor } from './shape-editor.tsx';
import { ValuesEditor } from './values-editor.tsx';
import { Problem } from '#renderer/ui/problem.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import styles from './answer-form.module.css';

/** The editor for the point's type of answer; its input becomes the answer's text. */
export function AnswerEditor(props: EditorProps) {
  const { answer } = props.point;
  switch (answer.kind) {
    case 'choice':
      return <ChoiceEditor {...props} options={answer.options} />;
    case 'action':
      return <ActionField {...props} />;
    case 'route':
      return <RouteEditor {...props} />;
    case 'zone':
      return <ZoneEditor {...props} />;
    case 'quantity':
      return <QuantityEditor {...props} units={answer.units} />;
    case 'optionalFields':
      return <OptionalFieldsEditor {...props} />;
    case 'values':
    case 'statuses':
      return <ValuesEditor {...props} answer={answer} />;
    case 'shape':
      return <ShapeEditor {...props} answer={answer} />;
  }
}

function ChoiceEditor({
  point,
  text,
  options,
  problem,
  onText,
}: EditorProps & { readonly options: Extract<AnswerType, { kind: 'choice' }>['options'] }) {
  const id = useId();
  const problemId = `${id}-problem`;
  return (
    <>
      <RadioGroup.Root
        className="stack-tight"
        aria-label={point.title}
        aria-describedby={problem === null ? undefined : problemId}
        value={text}
        onValueChange={onText}
      >
        {options.map((option) => (
          <label key={option.value} className={styles.choice} htmlFor={`${id}-${option.value}`}>
            <RadioGroup.Item id={`${id}-${option.value}`} value={option.value} className="radio">
              <RadioGroup.Indicator className="radio-dot" />
            </RadioGroup.Item>
            {option.label}
          </label>
        ))}
      </RadioGroup.Root>
      {problem === null ? null : (
        <Problem id={problemId} className="bad small">
          {problem}
        </Problem>
      )}
    </>
  );
}

function ActionField({ text, problem, onText }: EditorProps) {
  return (
    <Field layout="stack" label="Name of the action" hint="Sent as typed, in the action field." error={problem}>
      <TextField code value={text} maxLength={200} onText={onText} />
    </Field>
  );
}

function RouteEditor(props: EditorProps) {
  const { text, problem, onText } = props;
  const isPath = text.startsWith('/');
  const [path = '', mode = ''] = text.split(/ +/);
  return (
    <>
      <SegmentedChoice
        label="Where the request goes"
        options={optionsOf({ action: 'Action at /serviceApi.php', path: 'Own path' })}
        value={isPath ? 'path' : 'action'}
        onChange={(kind) => onText(kind === 'path' ? '/' : '')}
      />
      {isPath ? (
        <>
          <Field layout="stack" label="Path" hint="Below the base URL, such as /currencies." error={problem}>
            <TextField
              code
              value={path}
              maxLength={200}
              onText={(next) => onText(withMode(`/${next.replace(/^\/+/, '')}`, mode))}
            />
          </Field>
          <Field label="Request" group>
            <SegmentedChoice
              label="Request"
              options={optionsOf({ signed: 'Signed: envelope with hash', plain: 'Plain JSON' })}
              value={mode === 'signed' || mode === 'plain' ? mode : null}
              onChange={(next) => onText(withMode(path, next))}
            />
          </Field>
        </>
      ) : (
        <ActionField {...props} />
      )}
    </>
  );
}

function withMode(path: string, mode: string): string {
  return mode === '' ? path : `${path} ${mode}`;
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

function ZoneEditor({ text, problem, onText }: EditorProps) {
  const known = text === '' || zones.includes(text) ? zones : [text, ...zones];
  return (
    <Field layout="stack" label="Time zone" error={problem}>
      <Select
        options={[{ value: '', label: 'Choose a zone' }, ...known.map((zone) => ({ value: zone, label: zone }))]}
        value={text}
        onChange={onText}
      />
    </Field>
  );
}

function QuantityEditor({
  point,
  text,
  units,
  problem,
  onText,
}: EditorProps & { readonly units: Extract<AnswerType, { kind: 'quantity' }>['units'] }) {
  const [, amount = '', typed = ''] = /^(\S*)(?: +(.*))?$/.exec(text) ?? [];
  const first = units[0]?.unit ?? '';
  const unit = units.find((one) => one.unit === typed)?.unit ?? first;
  const write = (number: string, of: string) => onText(number.trim() === '' ? '' : `${number.trim()} ${of}`);
  return (
    <Field layout="stack" label="Number and unit" group error={problem}>
      <div className={styles.quantity}>
        <TextField
          code
          inputMode="decimal"
          aria-label={point.title}
          value={amount}
          maxLength={14}
          onText={(next) => write(next.replaceAll(/\s/g, ''), unit)}
        />
        {units.length === 1 ? (
          <span>{first}</span>
        ) : (
          <Select
            aria-label="Unit"
            options={units.map((one) => ({ value: one.unit, label: one.unit }))}
            value={unit}
            onChange={(next) => write(amount, next)}
          />
        )}
      </div>
    </Field>
  );
}

function OptionalFieldsEditor({ point, text, problem, onText }: EditorProps) {
  const chosen = new Set<string>(readNames(text));
  const write = (names: ReadonlySet<string>) => onText(JSON.stringify(unstatedFields.filter((name) => names.has(name))));
  const operations = [...new Set(unstatedFields.map((name) => name.slice(0, name.indexOf('.'))))];
  return (
    <EditorGroup point={point} problem={problem} className="stack-wide">
      <Checkbox checked={text === '[]'} onChange={(none) => onText(none ? '[]' : '')}>
        None: every listed field is required
      </Checkbox>
      {operations.map((operation) => (
        <Field key={operation} label={operation} code group>
          <div className="wrap">
            {unstatedFields
              .filter((name) => name.startsWith(`${operation}.`))
              .map((name) => (
                <Checkbox
                  key={name}
                  checked={chosen.has(name)}
                  onChange={(on) => write(new Set(on ? [...chosen, name] : [...chosen].filter((one) => one !== name)))}
                >
                  <code>{name.slice(operation.length + 1)}</code>
                </Checkbox>
              ))}
          </div>
        </Field>
      ))}
    </EditorGroup>
  );
}

function readNames(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
