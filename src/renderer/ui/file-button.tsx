import { useRef } from 'react';
import { FileUp } from 'lucide-react';
import { Button } from './button.tsx';

/** The button "Choose a file", or several. `label` says to a screen reader what the file holds. */
export function FileButton(props: {
  readonly label: string;
  readonly accept?: string;
  readonly variant?: 'quiet';
  readonly disabled?: boolean;
  readonly multiple?: boolean;
  readonly onFile: (file: File | undefined, ...others: readonly File[]) => void;
}) {
  const { label, accept, variant = 'plain', disabled = false, multiple = false, onFile } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant={variant} disabled={disabled} icon={<FileUp />} onClick={() => input.current?.click()}>
        {multiple ? 'Choose files' : 'Choose a file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          const [first, ...others] = target.files ?? [];
          onFile(first, ...others);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
