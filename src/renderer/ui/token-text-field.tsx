import { useSyncExternalStore } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { IconButton } from './icon-button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';
import styles from './text-field.module.css';

// Session tokens are hidden in all fields at once, since all could be in a picture for a ticket.
let hidden = false;
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A field for a session token, whose text an eye hides until it is pressed again. */
export function TokenTextField({ suffix, className, ...rest }: TextFieldProps) {
  const isHidden = useSyncExternalStore(listen, () => hidden);
  return (
    <TextField
      {...rest}
      className={isHidden ? [className, styles.hidden].join(' ') : className}
      suffix={
        <>
          {suffix}
          <IconButton
            small
            label={isHidden ? 'Show session tokens in forms' : 'Hide session tokens in forms'}
            icon={isHidden ? <EyeOff /> : <Eye />}
            side="top"
            onClick={() => {
              hidden = !isHidden;
              for (const listener of listeners) listener();
            }}
          />
        </>
      }
    />
  );
}
