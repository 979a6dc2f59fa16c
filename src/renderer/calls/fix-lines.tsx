import type { Fix } from '#shared/ipc/index.ts';
import { languageNames } from '#shared/doctor/words.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import styles from './fix-lines.module.css';

const looks = {
  same: { element: 'span', mark: ' ', look: 'quiet' },
  removed: { element: 'del', mark: '-', look: 'on-bad' },
  added: { element: 'ins', mark: '+', look: 'on-good' },
} as const;

/** The code that makes a mistake in a hash, and what to change in it. */
export function FixLines({ fix }: { readonly fix: Fix }) {
  return (
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
  );
}

/** Copies the code as it is after the change. */
export function CopyFix({ fix }: { readonly fix: Fix }) {
  const code = () => fix.lines.flatMap(({ change, text }) => (change === 'removed' ? [] : text)).join('\n');
  return <CopyButton small label="Copy the fixed code" text={code} />;
}
