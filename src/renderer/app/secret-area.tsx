import { useStore } from 'zustand';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import type { SecretQuestions } from './secret-questions.ts';

/** The question before values that look like secrets are written into a file, all of them in one list. */
export function SecretArea({ store }: { readonly store: SecretQuestions }) {
  const { secrets, choose } = useStore(store);
  if (secrets === null) return null;
  const one = secrets.length === 1;
  return (
    <Dialog
      onClose={() => choose(false)}
      tone="bad"
      title={one ? 'Save a possible secret?' : `Save ${secrets.length} possible secrets?`}
      description={
        <div className="stack">
          <p>The file is meant for git: anyone who can read it sees {one ? 'this value' : 'these values'}.</p>
          <p>
            {one
              ? "Use a variable instead and set its value when you run. If you save, Croupier won't ask about this value again."
              : "Use variables instead and set their values when you run. If you save, Croupier won't ask about these values again."}
          </p>
        </div>
      }
      actions={
        <>
          <Button variant="primary" onClick={() => choose(false)}>
            {' '}
            Don&apos;t save{' '}
          </Button>
          <Button onClick={() => choose(true)}>Save anyway</Button>
        </>
      }
    >
      <ul className="bullets" aria-label="Possible secrets">
        {secrets.map(({ name, by }) => (
          <li key={name}>
            {name === '' ? 'An unnamed value' : <code>{name}</code>}, recognised by its {by}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
