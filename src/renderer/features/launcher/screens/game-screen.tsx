import { useEffect, useEffectEvent, useMemo, useRef, useLayoutEffect, useState, type RefObject } from 'react';
import { CircleStop, LogOut, MonitorOff, ShieldAlert } from 'lucide-react';
import { CallProblem } from '#renderer/calls/call-problem.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { drawingOf, isWithin, type Drawing, type Screen, type Zoom } from '../device.ts';
import { FrameScreen } from './frame-screen.tsx';
import { launchTitle, modeText } from '../launch-words.ts';
import type { LaunchSlot } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { NativeScreen } from './native-screen.tsx';
import styles from './game-screen.module.css';
import type { Size } from '#shared/whole-pixels.ts';

export interface GameScreenProps {
  readonly store: LauncherStore;
  readonly slot: LaunchSlot;
  readonly screen: Screen;
  readonly zoom: Zoom;
  /** Called with the drawing of the game. */
  readonly onDrawn: ((drawing: Drawing) => void) | null;
  readonly onOpenCall: (id: number) => void;
}

/** Width of the edge around a tablet or a phone, on both sides together. */
const bezel = 20;

/** The area of one game: a screen of the chosen size with the game in it, or why there is none. */
export function GameScreen(props: GameScreenProps) {
  const { store, slot, screen, zoom, onDrawn } = props;
  const page = useMemo(() => ({ ...slot.browser, ...screen }), [slot.browser, screen]);
  const bare = screen.device?.touch !== true;
  const place = useRef<HTMLDivElement>(null);
  const whole = useInnerSize(place);
  const edge = bare ? 0 : bezel;
  const room = whole === null ? null : { width: whole.width - edge, height: whole.height - edge };
  const drawing = room === null ? null : drawingOf(screen, zoom, room);
  const tell = useEffectEvent(() => {
    if (drawing !== null) onDrawn?.(drawing);
  });
  const shows = onDrawn !== null;
  useEffect(() => tell(), [shows, drawing?.viewport.width, drawing?.viewport.height, drawing?.scale]);
  const title = `${launchTitle(slot.launch)}, ${modeText(slot.launch)}`;
  const { shown } = slot;
  const framed = shown.state === 'frame';
  const fits = drawing !== null && room !== null && isWithin(drawing, room);
  return (
    <div className={classNames(styles.stage, !bare && hasScreen(slot) && styles.padded)}>
      <div className={styles.place} ref={place}>
        {!hasScreen(slot) ? (
          <NoScreen {...props} />
        ) : drawing === null ? null : (
          <div className={classNames(styles.screen, !bare && (fits || framed) && styles.device)}>
            {framed ? (
              <FrameScreen
                key={shown.src}
                store={store}
                launchId={slot.launch.id}
                src={shown.src}
                title={title}
                drawing={drawing}
              />
            ) : (
              <NativeScreen
                store={store}
                launchId={slot.launch.id}
                shown={shown}
                page={page}
                title={title}
                drawing={drawing}
                instead={fits ? null : whole}
              />
            )}
          </div>
        )}
      </div>
    </div>
  );
}

/** Returns whether the game has a screen. A frame that was left, or kept from leaving, shows only the browser's own error. */
function hasScreen({ launch, shown, strayed }: LaunchSlot): boolean {
  if (launch.problem !== null || shown.state === 'closed' || shown.state === 'failed') return false;
  return shown.state !== 'frame' || (!launch.exited && strayed === null);
}

function NoScreen({ store, slot, onOpenCall }: GameScreenProps) {
  const { launch, shown, strayed } = slot;
  const again = () => store.getState().openAgain(launch.id);
  if (launch.problem !== null) {
    return (
      <div className={styles.problem}>
        <CallProblem
          call={launch.call}
          title={launch.source === 'replay' ? 'No replay to open' : 'No game to open'}
          otherwise={launch.problem}
          onOpen={onOpenCall}
        />
      </div>
    );
  }
  if (shown.state === 'failed') {
    return (
      <EmptyState icon={<MonitorOff />} title="The game was not opened" action={<Button onClick={again}>Try again</Button>}>
        {shown.message}
      </EmptyState>
    );
  }
  if (shown.state === 'frame' && launch.exited) {
    return (
      <EmptyState icon={<LogOut />} title="The player is back at the casino" action={<Button onClick={again}>Play again</Button>}>
        Croupier doesn&apos;t open exitURL here: the frame stays on the game&apos;s origin.
      </EmptyState>
    );
  }
  if (shown.state === 'frame' && strayed !== null) {
    return (
      <EmptyState
        icon={<ShieldAlert />}
        title="Croupier kept the game on its origin"
        action={<Button onClick={again}>Play again</Button>}
      >
        To let this game open other sites, allow other URLs.
      </EmptyState>
    );
  }
  if (launch.state === 'expired') {
    return (
      <EmptyState icon={<CircleStop />} title="Launched in an earlier session">
        Its record and checks are kept, but not its URL, which may hold a session token. Launch again for a new one.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<CircleStop />} title="The game is closed" action={<Button onClick={again}>Reopen</Button>}>
      The record is kept. Reopening uses the same launcher URL.
    </EmptyState>
  );
}

/** Follows the inner size of an element; null until it is measured and while it is not drawn. */
function useInnerSize(element: RefObject<HTMLElement | null>): Size | null {
  const [room, setRoom] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = box;
      // Out of sight it has no size; the game keeps the one it had.
      if (width === 0 || height === 0) return;
      setRoom((before) => (before?.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const sized = new ResizeObserver(measure);
    sized.observe(box);
    return () => sized.disconnect();
  }, [element]);
  return room;
}
