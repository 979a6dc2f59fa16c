import { useStore } from 'zustand';
import { VersionsView } from '#renderer/editor/versions-view.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import type { CollectionsStore } from './collections-store.ts';

/** Compares a file with that of the last commit, or both versions that git left in it. */
export function VersionsDialog({ store }: { readonly store: CollectionsStore }) {
  const { versions, closeVersions } = useStore(store);
  if (versions === null) return null;
  const { path, found } = versions;
  return (
    <Dialog
      onClose={closeVersions}
      width="large"
      title={`Two versions of ${path}`}
      description={
        found.state !== 'ready'
          ? undefined
          : found.of === 'commit'
            ? '− is the last commit, + is the file on disk.'
            : `Git left both versions in the file: − is ${found.left.label}, + is ${found.right.label}. Resolve it in an editor, then run git add.`
      }
      actions={<Button onClick={closeVersions}>Close</Button>}
    >
      {found.state === 'loading' ? <Skeleton rows={8} label="Reading both versions" /> : null}
      {found.state === 'failed' ? <p role="alert">{found.message}</p> : null}
      {found.state === 'ready' ? <VersionsView left={found.left} right={found.right} language="plaintext" /> : null}
    </Dialog>
  );
}
