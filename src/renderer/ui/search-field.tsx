import { useRef } from 'react';
import { Search, X } from 'lucide-react';
import { IconButton } from './icon-button.tsx';
import { TextField } from './text-field.tsx';

/**
 * A field that filters or searches the list beside it; Escape and the cross empty it. While there is something to `stop`, Escape
 * stops that first.
 */
export function SearchField({
  label,
  value,
  onText,
  placeholder,
  className,
  stop = null,
  onDown,
}: {
  label: string;
  value: string;
  onText: (text: string) => void;
  placeholder?: string;
  className?: string | undefined;
  stop?: (() => void) | null;
  /** Called for the down arrow, which leads into the list. */
  onDown?: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <TextField
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      ref={input}
      value={value}
      onText={onText}
      className={className}
      prefix={<Search />}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' && onDown !== undefined) {
          event.preventDefault();
          onDown();
        }
        if (event.key !== 'Escape' || value === '') return;
        event.preventDefault();
        event.stopPropagation();
        if (stop === null) onText('');
        else stop();
      }}
      suffix={
        value === '' ? null : (
          <IconButton
            small
            label="Clear"
            icon={<X />}
            onClick={() => {
              onText('');
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}
