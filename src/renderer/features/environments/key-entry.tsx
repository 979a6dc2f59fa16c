import { useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react';
import { inspectKey, shortKeyWarning } from '#shared/signing/key.ts';
import { Field } from '#renderer/ui/field.tsx';
import { SecretField, type SecretHandle } from '#renderer/ui/secret-field.tsx';
import styles from './key-field.module.css';

/**
 * The one field through which a private key enters, with what seems wrong about it. The field is write-only: `ref` reads its text
 * once, when it is sent, and it is never held in the page's state.
 */
export function KeyEntry({
  ref,
  label,
  hint,
  error,
  busy = false,
  layout = 'stack',
  onEnter,
  action = () => null,
}: {
  ref: Ref<SecretHandle>;
  label: string;
  hint: string;
  error?: string | undefined;
  busy?: boolean;
  layout?: 'row' | 'stack';
  onEnter: () => void;
  /** Returns the button beside the field. */
  action?: (isEmpty: boolean) => ReactNode;
}) {
  const input = useRef<SecretHandle>(null);
  const [seen, setSeen] = useState<{ warnings: readonly string[]; trimmable: boolean; empty: boolean }>(emptyEntry);

  useImperativeHandle(ref, () => ({
    read: () => input.current?.read() ?? '',
    write(text) {
      input.current?.write(text);
      inspect(text);
    },
    focus: () => input.current?.focus(),
  }));

  // Who types a key has a short one at first: that is a warning only once the field was left.
  const left = useRef(false);
  const lost = useRef(false);

  function inspect(text: string, lostBreaks = false) {
    lost.current = lostBreaks;
    if (text === '') left.current = false;
    const found = text === '' ? { warnings: [], trimmed: null } : inspectKey(text);
    const warnings = lostBreaks ? ['The field removed a pasted line break. Check the key'] : [];
    const short = left.current ? shortKeyWarning(new TextEncoder().encode(text).length) : null;
    if (short !== null) warnings.push(short);
    setSeen({ warnings: [...warnings, ...found.warnings], trimmable: found.trimmed !== null, empty: text === '' });
  }

  function trim() {
    const field = input.current;
    if (field === null) return;
    field.write(inspectKey(field.read()).trimmed ?? field.read());
    inspect(field.read());
    field.focus();
  }

  return (
    <Field
      layout={layout}
      label={label}
      hint={seen.warnings.length === 0 ? hint : undefined}
      warning={
        seen.warnings.length === 0 ? undefined : (
          <>
            {seen.warnings.map((warning) => (
              <span key={warning} className={styles.warning}>
                {warning}
              </span>
            ))}
            {seen.trimmable ? (
              <button type="button" className="link strong" onClick={trim}>
                Use trimmed key
              </button>
            ) : null}
          </>
        )
      }
      error={error}
    >
      <div className="line">
        <SecretField
          ref={input}
          placeholder="Paste the key"
          disabled={busy}
          onInput={inspect}
          onLeave={(text) => {
            left.current = true;
            inspect(text, lost.current);
          }}
          onEnter={onEnter}
        />
        {action(seen.empty)}
      </div>
    </Field>
  );
}

const emptyEntry = { warnings: [], trimmable: false, empty: true } as const;
