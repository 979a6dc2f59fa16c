import { useLayoutEffect, useRef, useState } from 'react';
import { startWork } from '#renderer/faults/faults.ts';
import styles from './collection-tree.module.css';

/** A name that the user writes in its row: Enter and leaving the field take the name, Escape leaves it as it was. */
export function RenameField({
  name,
  onName,
  onCancel,
}: {
  name: string;
  onName: (name: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <input
      ref={input}
      type="text"
      className={styles.rename}
      aria-label={`New name of ${name}`}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        if (event.key === 'Enter') startWork(onName(text.trim()));
        else {
          done.current = true;
          onCancel();
        }
      }}
      onBlur={() => {
        if (!done.current) startWork(onName(text.trim()));
        done.current = true;
      }}
    />
  );
}
