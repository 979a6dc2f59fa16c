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
      title={one ? 'Save what looks like a secret?' : `Save ${secrets.length} values that look like secrets?`}
      description={
        <div className="stack">
          <p>The file is made for git: whoever reads it reads {one ? 'this value' : 'these values'}.</p>
          <p>
            {one
              ? 'Instead, write a variable in its place and give the value when you run. If you save, Croupier does not ask about this value again.'
              : 'Instead, write variables in their place and give the values when you run. If you save, Croupier does not ask about these values again.'}
          </p>
        </div>
      }
      actions={
        <>
          <Button variant="primary" onClick={() => choose(false)}>
            Do not save
          </Button>
          <Button onClick={() => choose(true)}>Save with {one ? 'this value' : 'these values'}</Button>
        </>
      }
    >
      <ul className="bullets" aria-label="What looks like a secret">
        {secrets.map(({ name, by }) => (
          <li key={name}>
            {name === '' ? 'A value without a name' : <code>{name}</code>}, known by its {by}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
