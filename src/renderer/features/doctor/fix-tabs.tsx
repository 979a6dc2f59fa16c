import { useStore } from 'zustand';
import type { Fix } from '#shared/ipc/index.ts';
import { CopyFix, FixLines } from '#renderer/calls/fix-lines.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { languageNames } from '#shared/doctor/words.ts';
import type { DoctorStore } from './doctor-store.ts';
import styles from './fix-tabs.module.css';

/** The fix in each language, likeliest first: the code that makes the mistakes, and what to change in it. */
export function FixTabs({ store, fixes }: { readonly store: DoctorStore; readonly fixes: readonly Fix[] }) {
  const language = useStore(store, (state) => state.language);
  const fix = fixes.find((one) => one.language === language) ?? fixes[0];
  if (fix === undefined) return null;
  return (
    <section className={styles.fix} aria-label="Fix">
      <Segmented
        label="Language of the fix"
        items={fixes.map((one) => ({ value: one.language, label: languageNames[one.language] }))}
        value={fix.language}
        onChange={store.getState().setLanguage}
        aside={<CopyFix fix={fix} />}
      >
        <FixLines fix={fix} />
      </Segmented>
    </section>
  );
}
