import { useStore } from 'zustand';
import type { Fix } from '#shared/ipc/index.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { languageNames } from '#shared/doctor/words.ts';
import { fixText } from './doctor-words.ts';
import type { DoctorStore } from './doctor-store.ts';
import styles from './fix-tabs.module.css';

/** The fix in each language, likeliest first: the line that makes the mistake, and the lines that do it right. */
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
        aside={<CopyButton small label="Copy the lines" text={fix.lines.join('\n')} />}
      >
        <pre className={styles.lines} aria-label={`Fix in ${languageNames[fix.language]}`}>
          {fixText(fix)
            .split('\n')
            .map((line, at) => (
              <span key={at} className={line.startsWith('-') ? styles.removed : styles.added}>
                {line}
                {'\n'}
              </span>
            ))}
        </pre>
      </Segmented>
    </section>
  );
}
