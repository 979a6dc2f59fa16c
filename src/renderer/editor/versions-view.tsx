import { ReadOnlyDiff, type DiffSide } from './read-only-diff.tsx';
import styles from './editor.module.css';

/** Two versions of a file in a dialog. */
export function VersionsView({
  left,
  right,
  language,
}: {
  readonly left: DiffSide;
  readonly right: DiffSide;
  readonly language: 'json' | 'plaintext';
}) {
  return (
    <div className={styles.versions}>
      <ReadOnlyDiff left={left} right={right} language={language} />
    </div>
  );
}
