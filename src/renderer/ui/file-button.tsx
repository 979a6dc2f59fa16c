import { useRef } from 'react';
import { FileUp } from 'lucide-react';
import { Button } from './button.tsx';

/** The button "Choose a file". `label` says to a screen reader what the file holds. */
export function FileButton(props: {
  readonly label: string;
  readonly accept?: string;
  readonly variant?: 'quiet';
  readonly disabled?: boolean;
  readonly onFile: (file: File | undefined) => void;
}) {
  const { label, accept, variant = 'plain', disabled = false, onFile } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant={variant} disabled={disabled} icon={<FileUp />} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={({ target }) => {
          onFile(target.files?.[0]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
