import { useStore } from 'zustand';
import { Download } from 'lucide-react';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import type { LauncherStore } from './launcher-store.ts';
import { savePicture } from '#renderer/ui/save-file.ts';
import styles from './screenshot-dialog.module.css';

/** The picture that was taken; it is kept with the launch and goes into its evidence. */
export function ScreenshotDialog({ store }: { store: LauncherStore }) {
  const screenshot = useStore(store, (state) => state.screenshot);
  const { closeScreenshot } = store.getState();
  return (
    <Dialog
      open={screenshot !== null}
      onOpenChange={(open) => {
        if (!open) closeScreenshot();
      }}
      width="large"
      title="Screenshot"
      description="Kept with this launch: it goes into the evidence that is exported. A newer one takes its place."
      actions={
        screenshot === null ? null : (
          <>
            <Button
              icon={<Download aria-hidden="true" />}
              onClick={() => savePicture(document, `${fileName(screenshot.title)}.png`, screenshot.dataUrl)}
            >
              Save a copy
            </Button>
            <Button variant="primary" onClick={closeScreenshot}>
              Done
            </Button>
          </>
        )
      }
    >
      {screenshot === null ? null : (
        <img className={styles.picture} src={screenshot.dataUrl} alt={`Screenshot of ${screenshot.title}`} />
      )}
    </Dialog>
  );
}

function fileName(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'screenshot' : `screenshot-${plain.slice(0, 60)}`;
}
