import { useImperativeHandle, useRef, type ClipboardEvent, type Ref } from 'react';
import { classNames } from './class-names.ts';
import { useField } from './field-context.ts';
import styles from './text-field.module.css';

/** Access to a secret that was entered: read it once, then empty it. */
export interface SecretHandle {
  readonly read: () => string;
  readonly write: (text: string) => void;
  readonly focus: () => void;
}

/**
 * A field whose text is typed or pasted once and never shown: the text is in the element alone, not in any state of the page. The
 * element drops line breaks; a pasted text with line breaks is kept whole beside it, so that nothing changes silently.
 */
export function SecretField({
  ref,
  placeholder,
  onInput,
  onLeave,
  onEnter,
  disabled,
}: {
  ref: Ref<SecretHandle>;
  placeholder: string;
  /** `lostBreaks`: a pasted line break went away because the text was edited after it. */
  onInput: (text: string, lostBreaks: boolean) => void;
  /** The keyboard leaves the field. */
  onLeave: (text: string) => void;
  onEnter: () => void;
  disabled: boolean;
}) {
  const field = useField();
  const input = useRef<HTMLInputElement>(null);
  const whole = useRef<string | null>(null);

  useImperativeHandle(ref, () => ({
    read: () => whole.current ?? input.current?.value ?? '',
    write(text) {
      whole.current = /[\r\n]/.test(text) ? text : null;
      if (input.current !== null) input.current.value = text;
    },
    focus: () => input.current?.focus(),
  }));

  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const pasted = event.clipboardData.getData('text/plain');
    if (!/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    const element = event.currentTarget;
    const before = element.value.slice(0, element.selectionStart ?? 0);
    const after = element.value.slice(element.selectionEnd ?? element.value.length);
    whole.current = `${before}${pasted}${after}`;
    element.value = whole.current;
    onInput(whole.current, false);
  }

  return (
    <div className={classNames(styles.frame, field?.invalid === true && styles.invalid)}>
      <input
        ref={input}
        type="password"
        id={field?.id}
        aria-describedby={field?.describedBy}
        aria-invalid={field?.invalid === true || undefined}
        // Browsers and password managers offer to keep the text of a password field; this value keeps them from it.
        autoComplete="one-time-code"
        data-1p-ignore="true"
        data-bwignore="true"
        data-lpignore="true"
        spellCheck={false}
        placeholder={placeholder}
        disabled={disabled}
        className={classNames(styles.input, styles.code)}
        onPaste={onPaste}
        onInput={(event) => {
          const lost = whole.current !== null && event.currentTarget.value !== '';
          whole.current = null;
          onInput(event.currentTarget.value, lost);
        }}
        onBlur={(event) => onLeave(whole.current ?? event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onEnter();
        }}
      />
    </div>
  );
}
