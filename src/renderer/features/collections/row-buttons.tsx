import { Play, Variable } from 'lucide-react';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Tooltip } from '#renderer/ui/tooltip.tsx';
import type { RowActions } from './row-menu.tsx';
import type { TreeRow } from './tree-rows.ts';
import styles from './collection-tree.module.css';

interface RowButtonsProps {
  readonly row: TreeRow;
  /** True for the row with the keyboard, from which Tab comes to the buttons. */
  readonly active: boolean;
  readonly onRun: RowActions['onRun'];
  readonly onVariables: (row: TreeRow) => void;
}

/** The variables of a collection or a folder with their number, and its run. */
export function RowButtons({ row, active, onRun, onVariables }: RowButtonsProps) {
  if (row.kind === 'request') return null;
  const { name, variables, readOnly, collectionId, path } = row;
  const tabIndex = active ? 0 : -1;
  const label = `Variables of ${name}: ${variables === 0 ? 'none' : variables}`;
  return (
    <span className={styles.buttons}>
      <Tooltip names content={label}>
        <button
          type="button"
          aria-label={label}
          tabIndex={tabIndex}
          className={styles.variables}
          onClick={() => onVariables(row)}
        >
          <Variable />
          {/* Drawn by the style: the text of a row is its name. */}
          {variables === 0 ? null : <span data-count={variables} />}
        </button>
      </Tooltip>
      {readOnly ? null : (
        <IconButton
          small
          label={`Run ${name}`}
          icon={<Play />}
          tabIndex={tabIndex}
          className={styles.run}
          onClick={() => onRun(collectionId, path)}
        />
      )}
    </span>
  );
}
