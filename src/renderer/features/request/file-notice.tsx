import { memo, useState } from 'react';
import { FileDiff } from 'lucide-react';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { lazyDialog } from '#renderer/ui/lazy-page.ts';
import { comparableText, contentOf, fileTitle } from './tabs/tab-file.ts';
import type { RequestStore } from './tabs/request-store.ts';
import type { RequestTab } from './tabs/request-tab.ts';
import { WarningLine } from '#renderer/ui/warning-line.tsx';

const VersionsView = lazyDialog(async () => (await import('#renderer/editor/versions-view.tsx')).VersionsView);

interface FileNoticeProps {
  readonly store: RequestStore;
  readonly tab: RequestTab;
  /** The reason why the collection of its file is not saved; null if it is. */
  readonly readOnly: string | null;
}

/** Asks the user what to do about a tab's file: it was changed elsewhere, removed, or could not be read or saved. */
export const FileNotice = memo(function FileNotice({ store, tab, readOnly }: FileNoticeProps) {
  const [comparing, setComparing] = useState(false);
  const actions = store.getState();
  const { file } = tab;
  if (file === null) return null;
  const title = fileTitle(file.path);
  if (readOnly !== null) {
    return (
      <WarningLine said="status" label={`"${title}" is read-only`}>
        <p>{readOnly}</p>
        <Button onClick={() => actions.startSaveAs(tab.id)}>Save a copy…</Button>
      </WarningLine>
    );
  }
  if (file.gone) {
    return (
      <WarningLine>
        <p>"{title}" was removed from its collection. Save this tab to keep it.</p>
        <Button onClick={() => actions.startSaveAs(tab.id)}>Save as…</Button>
      </WarningLine>
    );
  }
  if (file.theirs !== null) {
    const choose = (act: (id: string) => void) => () => {
      setComparing(false);
      act(tab.id);
    };
    const choices = (
      <>
        <Button onClick={choose(actions.keepMine)}>Keep mine</Button>
        <Button onClick={choose(actions.takeTheirs)}>Take theirs</Button>
      </>
    );
    return (
      <WarningLine>
        <p>Another program changed "{title}". Your changes aren&apos;t saved.</p>
        <Button icon={<FileDiff />} onClick={() => setComparing(true)}>
          Compare
        </Button>
        {choices}
        {comparing ? (
          <Dialog
            onClose={() => setComparing(false)}
            title={`Two versions of "${title}"`}
            description="Lines with − are in the file, lines with + in your tab. Keep mine: your next save overwrites the file. Take theirs: the file replaces your text; you can undo it."
            width="large"
            actions={choices}
          >
            <VersionsView
              left={{ label: 'Theirs, in the file', text: comparableText(contentOf(file.theirs.request)) }}
              right={{ label: 'Mine, not saved', text: comparableText(tab) }}
              language="json"
            />
          </Dialog>
        ) : null}
      </WarningLine>
    );
  }
  if (file.problem === null) return null;
  return (
    <WarningLine>
      <p>{file.problem}</p>
      <Button variant="quiet" onClick={() => actions.dismissFileProblem(tab.id)}>
        Close
      </Button>
    </WarningLine>
  );
});
