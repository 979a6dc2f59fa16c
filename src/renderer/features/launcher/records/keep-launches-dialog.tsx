import { useState } from 'react';
import type { Output } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Field } from '#renderer/ui/field.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { LauncherStore } from '../tabs/launcher-store.ts';

const [least, most] = [100, 10_000];

/** Sets how many launches are kept, and says before how many that removes. */
export function KeepLaunchesDialog({
  store,
  keeping,
  onClose,
}: {
  store: LauncherStore;
  keeping: Output<'launches.keeping'>;
  onClose: () => void;
}) {
  const [text, setText] = useState(String(keeping.most));
  const [problem, setProblem] = useState<string | null>(null);
  const wanted = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  const valid = wanted >= least && wanted <= most;
  const removes = valid ? Math.max(0, keeping.kept - wanted) : 0;
  async function save(): Promise<void> {
    const failed = await store.getState().keepLaunches(wanted, removes);
    if (failed === null) onClose();
    else setProblem(failed);
  }
  const limits = `Enter a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`;
  return (
    <FormDialog
      title="Launch retention"
      description={`Croupier keeps the newest launches, with their records, pictures and notes. It has ${keeping.kept.toLocaleString('en')} now. Exported evidence stays.`}
      submit={removes === 0 ? 'Save' : `Save and remove ${launchesText(removes)}`}
      waits={valid ? null : limits}
      onSubmit={() => startWork(save())}
      onClose={onClose}
    >
      <Field
        label="Launches to keep"
        layout="stack"
        hint={removes === 0 ? 'No launches will be removed.' : `Permanently removes the ${launchesText(removes, 'oldest ')} now.`}
        error={problem ?? (valid ? null : limits)}
      >
        <TextField inputMode="numeric" maxLength={5} value={text} onText={setText} suffix="launches" />
      </Field>
    </FormDialog>
  );
}

function launchesText(count: number, which = ''): string {
  return `${count.toLocaleString('en')} ${which}${count === 1 ? 'launch' : 'launches'}`;
}
