import { Camera, Download, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import type { Launch, LaunchEntry, LaunchPicture } from '#shared/ipc/index.ts';
import { momentOf } from '#shared/launches/clock.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { PictureStrip } from '#renderer/ui/picture-strip.tsx';
import { savePicture } from '#renderer/ui/save-file.ts';
import { now } from '#renderer/ui/use-now.ts';
import { clockText, launchTitle } from '../launch-words.ts';
import { launchOf } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import styles from './pictures-dialog.module.css';

/** The pictures that are kept of a launch, one of them large; each can be removed. They go into the evidence. */
export function PicturesDialog({ store }: { store: LauncherStore }) {
  const shown = useStore(store, (state) => state.pictures);
  const launch = useStore(store, (state) => (state.pictures === null ? null : launchOf(state.tabs, state.pictures.launchId)));
  const entries = useStore(
    store,
    (state) => state.tabs.flatMap(({ slots }) => slots).find((slot) => slot.launch.id === launch?.id)?.entries ?? noEntries,
  );
  const { choosePicture, closePictures, removePicture } = store.getState();
  if (shown === null || launch === null) return null;
  const picture = launch.pictures.find(({ number }) => number === shown.chosen) ?? launch.pictures.at(-1);
  const url = picture === undefined ? undefined : shown.urls.get(picture.number);
  return (
    <Dialog
      onClose={closePictures}
      width="large"
      title="Pictures"
      description="Pictures that Croupier or you took. The evidence includes them all."
      actions={
        <>
          {picture === undefined ? null : (
            <Button variant="quiet" icon={<Trash2 />} onClick={() => startWork(removePicture(launch.id, picture.number))}>
              Remove
            </Button>
          )}
          {picture === undefined || url === undefined ? null : (
            <Button
              icon={<Download />}
              onClick={() =>
                savePicture(
                  document,
                  `${fileName(launchTitle(launch))}-${picture.number}.${url.startsWith('data:image/jpeg') ? 'jpg' : 'png'}`,
                  url,
                )
              }
            >
              Save a copy
            </Button>
          )}
          <Button variant="primary" onClick={closePictures}>
            Done
          </Button>
        </>
      }
    >
      {picture === undefined ? (
        <EmptyState small icon={<Camera />} title="No pictures yet">
          The desktop app takes pictures of an open game. To take one yourself, choose Screenshot.
        </EmptyState>
      ) : (
        <>
          {url === undefined ? (
            <div className={styles.waiting} />
          ) : (
            <img className={styles.picture} src={url} alt={`${picture.moment ?? 'Screenshot'}: ${launchTitle(launch)}`} />
          )}
          <p className="quiet small">{whenText(launch, entries, picture, now())}</p>
          {launch.pictures.length < 2 ? null : (
            <PictureStrip
              label="Pictures of this launch"
              pictures={launch.pictures.map(({ number, takenAt, moment }, at) => ({
                id: number,
                label: `Picture ${at + 1} of ${launch.pictures.length}: ${moment ?? 'Screenshot'}`,
                caption: `${takenAt === null ? '?' : `${clockText(momentOf(entries, takenAt - launch.preparedAt))} s`}${moment === null ? '' : ` · ${moment}`}`,
                url: shown.urls.get(number) ?? null,
              }))}
              chosen={picture.number}
              onChoose={choosePicture}
            />
          )}
        </>
      )}
    </Dialog>
  );
}

const noEntries: readonly LaunchEntry[] = [];

function whenText(
  { preparedAt, pictures }: Launch,
  entries: readonly LaunchEntry[],
  { number, takenAt, moment }: LaunchPicture,
  now: number,
): string {
  const position = `${moment ?? 'Screenshot'}. Picture ${pictures.findIndex((one) => one.number === number) + 1} of ${pictures.length}`;
  if (takenAt === null) return `${position}. An earlier version of Croupier took it without the time.`;
  const at = momentOf(entries, takenAt - preparedAt);
  return `${position}, ${timeText(takenAt, now)}, ${clockText(at)} s after the page began to load`;
}

function fileName(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'screenshot' : `screenshot-${plain.slice(0, 60)}`;
}
