import { useStore } from 'zustand';
import type { Fix } from '#shared/ipc/index.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { languageNames } from '#shared/doctor/words.ts';
import type { DoctorStore } from './doctor-store.ts';
import styles from './fix-tabs.module.css';

const looks = {
  same: { element: 'span', mark: ' ', look: 'quiet' },
  removed: { element: 'del', mark: '-', look: 'on-bad' },
  added: { element: 'ins', mark: '+', look: 'on-good' },
} as const;

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
        aside={<CopyButton small label="Copy the fixed code" text={() => fixedCode(fix)} />}
      >
        <pre className={styles.lines} aria-label={`Fix in ${languageNames[fix.language]}`}>
          {fix.lines.map(({ change, text }, at) => {
            const { element: Line, mark, look } = looks[change];
            return (
              <Line key={at} className={classNames(styles.line, look)}>
                {`${mark} ${text}`}
              </Line>
            );
          })}
        </pre>
      </Segmented>
    </section>
  );
}

function fixedCode({ lines }: Fix): string {
  return lines.flatMap(({ change, text }) => (change === 'removed' ? [] : text)).join('\n');
}
