import { Fragment, useState } from 'react';
import { ChevronDown, ExternalLink, Keyboard, LogOut, ShieldAlert, Undo2, Volume2, VolumeX, X, RefreshCw } from 'lucide-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Menu } from '#renderer/ui/menu.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { percentText, type Drawing, type Zoom } from '../device.ts';
import { GameScreen } from './game-screen.tsx';
import { ScreenControl } from '../settings/screen-control.tsx';
import { modeText, placeText, slotText, timesText } from '../launch-words.ts';
import { activeSlot, screenOfSlot, type LaunchSlot, type LaunchTab } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { VerdictPill } from '../records/verdict-pill.tsx';
import styles from './game-screens.module.css';

const zooms: readonly { readonly zoom: Zoom; readonly label: string }[] = [
  { zoom: 'fit', label: 'Fit' },
  { zoom: 0.5, label: '50 %' },
  { zoom: 0.75, label: '75 %' },
  { zoom: 1, label: '100 %' },
  { zoom: 1.25, label: '125 %' },
  { zoom: 1.5, label: '150 %' },
];

/** The games of a tab, side by side by device and mode, with what belongs to all above them. */
export function GameScreens({
  store,
  tab,
  certificateHelp,
  onOpenCall,
}: {
  store: LauncherStore;
  tab: LaunchTab;
  /** The built-in provider's URL if the user has to make a browser trust its certificate; else null. */
  certificateHelp: string | null;
  onOpenCall: (id: number) => void;
}) {
  const scale = useStore(
    store,
    useShallow(({ zoom, shares }) => ({ zoom, share: shares.both })),
  );
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const shownId = activeSlot(tab)?.launch.id ?? null;
  const [first, second] = tab.slots;
  if (first === undefined) return null;
  const one = (slot: LaunchSlot) => (
    <section className={styles.game} aria-label={`Game, ${slotText(tab, slot)}`} data-pane="game">
      {tab.screens.length === 1 || slot.screenAt < 0 ? null : (
        <div className={styles.head}>
          <ScreenControl store={store} tab={tab} at={slot.screenAt} />
        </div>
      )}
      <Banner store={store} slot={slot} />
      <GameScreen
        store={store}
        slot={slot}
        screen={screenOfSlot(tab, slot)}
        zoom={scale.zoom}
        onDrawn={slot.launch.id === shownId ? setDrawing : null}
        onOpenCall={onOpenCall}
      />
      <Foot slot={slot} verdict={second !== undefined} />
    </section>
  );
  return (
    <div className={styles.stage}>
      <Bar store={store} tab={tab} drawing={drawing} />
      {certificateHelp === null ? null : <CertificateHelp store={store} tab={tab} url={certificateHelp} />}
      {second === undefined ? (
        one(first)
      ) : tab.slots.length > 2 ? (
        <div className={styles.row}>
          {tab.slots.map((slot) => (
            <Fragment key={slot.launch.id}>{one(slot)}</Fragment>
          ))}
        </div>
      ) : (
        <div className="grow">
          <SplitPane
            id={`launch-both-${tab.id}`}
            label="The games side by side"
            share={scale.share}
            onShare={(share) => store.getState().setShare('both', share)}
            minFirst={180}
            minSecond={180}
            clips="both"
            first={one(first)}
            second={one(second)}
          />
        </div>
      )}
    </div>
  );
}

/** Returns whether each screen of a tab has a game. */
function hasEach({ screens, slots }: LaunchTab): boolean {
  return screens.every((_screen, at) => slots.some(({ screenAt }) => screenAt === at));
}

function Bar({ store, tab, drawing }: { store: LauncherStore; tab: LaunchTab; drawing: Drawing | null }) {
  const zoom = useStore(store, (state) => state.zoom);
  const actions = store.getState();
  const open = tab.slots.filter(({ shown }) => shown.state === 'view' || shown.state === 'frame');
  const views = open.filter(({ shown }) => shown.state === 'view');
  const each = (slots: readonly LaunchSlot[], run: (id: string) => void) => () => {
    for (const { launch } of slots) run(launch.id);
  };
  const { viewport, scale } = drawing ?? { viewport: null, scale: 1 };
  const shown = activeSlot(tab)?.launch.id;
  const muted = views.every(({ shown }) => shown.state === 'view' && shown.muted);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Screen of the game">
      {tab.screens.length === 1 ? <ScreenControl store={store} tab={tab} at={0} /> : null}
      {viewport === null || open.length === 0 ? null : (
        <span className={classNames('code', styles.size)}>
          {viewport.width} x {viewport.height}
        </span>
      )}
      {hasEach(tab) ? null : (
        <span className={styles.size}>
          Launch again to show {tab.screens.length === 1 ? 'one device' : `${tab.screens.length} devices`}.
        </span>
      )}
      <div className="line at-end">
        <Menu
          align="end"
          trigger={
            <Button variant="quiet" aria-label={`Zoom, ${percentText(scale)}`} icon={null}>
              <span className="line-tight numbers">
                {percentText(scale)} <ChevronDown />
              </span>
            </Button>
          }
          items={zooms.map(({ zoom: one, label }) => ({
            id: label,
            label,
            checked: one === zoom,
            onSelect: () => actions.setZoom(one),
          }))}
        />
        {views.length === 0 ? null : (
          <>
            <IconButton
              side="top"
              label="Focus the game; F6 leaves it"
              icon={<Keyboard />}
              onClick={each(
                views.filter(({ launch }) => launch.id === shown),
                actions.play,
              )}
            />
            <IconButton side="top" label="Go back" icon={<Undo2 />} onClick={each(views, actions.back)} />
            <IconButton
              side="top"
              label={views.length > 1 ? 'Mute the games' : 'Mute the game'}
              icon={muted ? <VolumeX /> : <Volume2 />}
              aria-pressed={muted}
              onClick={each(views, (id) => actions.setMuted(id, !muted))}
            />
          </>
        )}
        <Button className={styles.compact} icon={<RefreshCw />} disabled={open.length === 0} onClick={each(open, actions.reload)}>
          Reload
        </Button>
        <IconButton
          side="top"
          label={open.length > 1 ? 'Close the games' : 'Close the game'}
          icon={<X />}
          disabled={open.length === 0}
          onClick={each(open, (id) => startWork(actions.closeGame(id)))}
        />
      </div>
    </div>
  );
}

/** News of a game that the user needs at once: it left through its exit, or it was kept from leaving. */
function Banner({ store, slot }: { store: LauncherStore; slot: LaunchSlot }) {
  const { launch, strayed, shown } = slot;
  const actions = store.getState();
  if (launch.exited) {
    return (
      <output className={classNames('bar small', 'on-good')}>
        <LogOut />
        <p className="grow quiet">
          <strong className="ink">The game left through exitURL.</strong> <span className="code">{launch.exitURL}</span>
        </p>
        {shown.state === 'view' ? <Button onClick={() => actions.openAgain(launch.id)}>Play again</Button> : null}
      </output>
    );
  }
  if (strayed !== null && shown.state === 'frame') {
    return (
      <output className={classNames('bar small', 'on-warn')}>
        <ShieldAlert />
        <p className="grow quiet">
          <strong className="ink">Croupier kept the game on its origin.</strong> It tried to go to{' '}
          <span className="code">{strayed}</span>, which isn&apos;t its exitURL.
        </p>
        <Button onClick={() => actions.openAgain(launch.id, 'https')} title="If you allow them, Croupier can't detect the exit">
          Allow other https URLs
        </Button>
      </output>
    );
  }
  return null;
}

/**
 * Helps past the certificate that the built-in provider made for itself: a browser refuses it, and offers no way past that inside a
 * frame.
 */
function CertificateHelp({ store, tab, url }: { store: LauncherStore; tab: LaunchTab; url: string }) {
  const help = useStore(store, (state) => state.certificateHelp);
  const framed = tab.slots.some(({ shown }) => shown.state === 'frame');
  const works = tab.slots.some(({ entries }) => entries.some(({ kind }) => kind === 'wallet' || kind === 'exit'));
  if (!help || !framed || works) return null;
  return (
    <aside className={classNames('bar small', styles.certificate)} aria-label="The built-in provider's certificate">
      <ShieldAlert />
      <p className="grow quiet">
        <strong className="ink">Empty frame or certificate warning?</strong> The built-in provider uses its own certificate. Open
        its address once, accept the warning, and reload the game here.
      </p>
      <a href={url} target="_blank" rel="noreferrer" className="line-tight target rigid one-line">
        Open its address <ExternalLink />
      </a>
      <IconButton small label="Close" icon={<X />} onClick={store.getState().closeCertificateHelp} />
    </aside>
  );
}

/** `verdict`: true for one of several games; that of a game alone stands above its record. */
function Foot({ slot, verdict }: { slot: LaunchSlot; verdict: boolean }) {
  const { launch, entries, shown } = slot;
  const live = shown.state === 'view' || shown.state === 'frame';
  const state = live
    ? launch.exited
      ? 'left through exitURL'
      : (timesText(entries) ?? 'open')
    : launch.state === 'expired'
      ? 'earlier session'
      : 'not open';
  return (
    <footer className={styles.foot}>
      <Pill tone={launch.gameMode === 'real' ? 'note' : 'plain'} size="small">
        {modeText(launch)}
      </Pill>
      <span className={classNames('code', styles.url)} title={launch.url ?? undefined}>
        {launch.url === null ? 'no URL' : placeText(launch.url)}
      </span>
      <span className={styles.state}>{state}</span>
      {verdict ? <VerdictPill size="small" launch={launch} /> : null}
    </footer>
  );
}
