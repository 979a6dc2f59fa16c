import { Plus, RotateCwSquare, X } from 'lucide-react';
import { useStore } from 'zustand';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { roomScreen, type Screen } from '../device.ts';
import type { LaunchTab } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { mostScreens } from '../tabs/screen-edits.ts';
import styles from './screen-control.module.css';

const room = 'room';

/** Chooses one screen of a tab: its device, and how it is held. */
export function ScreenControl({ store, tab, at }: { store: LauncherStore; tab: LaunchTab; at: number }) {
  const lists = useStore(store, (state) => state.devices);
  const actions = store.getState();
  const screen = tab.screens[at] ?? roomScreen;
  const known = lists.flatMap(({ from, devices }) =>
    devices.map((device) => ({
      value: `${from}/${device.name}`,
      label: from === '' ? device.name : `${device.name} · ${from}`,
      device,
    })),
  );
  const present = JSON.stringify(screen.device);
  const chosen = known.find(({ device }) => JSON.stringify(device) === present);
  const options = [
    { value: room, label: 'Desktop (fit window)' },
    // A device that its list does not have any more stays as it is.
    ...(screen.device === null || chosen !== undefined ? [] : [{ value: 'present', label: screen.device.name }]),
    ...known,
  ];
  const choose = (value: string) => {
    if (value === 'present') return;
    const device = known.find((one) => one.value === value)?.device ?? null;
    actions.setScreen(tab.id, at, { device, rotated: device?.touch === true && screen.rotated } satisfies Screen);
  };
  const name = tab.screens.length === 1 ? 'Device' : `Device ${at + 1}`;
  return (
    <div className="line-tight">
      <Select
        aria-label={name}
        options={options}
        value={screen.device === null ? room : (chosen?.value ?? 'present')}
        onChange={choose}
        className="grow"
      />
      {screen.device?.touch === true ? (
        <IconButton
          side="top"
          label={screen.rotated ? `${name}: portrait` : `${name}: landscape`}
          icon={<RotateCwSquare />}
          aria-pressed={screen.rotated}
          onClick={() => actions.setScreen(tab.id, at, { ...screen, rotated: !screen.rotated })}
        />
      ) : null}
      {tab.screens.length > 1 ? (
        <IconButton
          side="top"
          label={`Remove ${name.toLowerCase()}`}
          icon={<X />}
          onClick={() => actions.removeScreen(tab.id, at)}
        />
      ) : null}
    </div>
  );
}

/** Chooses all screens of a tab, for its next launch. */
export function ScreenList({ store, tab }: { store: LauncherStore; tab: LaunchTab }) {
  const lists = useStore(store, (state) => state.devices);
  const problems = lists.flatMap(({ problem }) => problem ?? []);
  return (
    <>
      {tab.screens.map((_screen, at) => (
        <ScreenControl key={at} store={store} tab={tab} at={at} />
      ))}
      {tab.screens.length >= mostScreens ? null : (
        <Button variant="quiet" className={styles.add} icon={<Plus />} onClick={() => store.getState().addScreen(tab.id)}>
          Add a device
        </Button>
      )}
      {problems.map((problem) => (
        <p key={problem} role="alert" className="bad small">
          {problem}
        </p>
      ))}
    </>
  );
}
