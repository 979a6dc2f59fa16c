import { leastDifference } from '../calls/server-clock.ts';
import type { ProbeId, ProbeOperation } from '../ipc/outputs/probes.ts';
import { bodyOf, otherOrder, payloads, wrongHashCode } from './probe.ts';
import type { Probe, ProbeGround, ProbeResponse, ProbeTime } from './probe.ts';

/** Yields calls, takes their responses, and returns a conclusion that the next calls depend on. */
type Asking<T> = Generator<Probe, T, ProbeResponse>;
type Moment = Extract<ProbeTime, { order: unknown }>;

/** Seconds by which times are moved to find the tolerance. */
export const ladder = [5, 30, 60, 300, 900, 3_600, 10_800, 86_400] as const;
/** Minutes from UTC that are in use somewhere, likeliest first. */
const zoneMinutes = [
  0, 60, 120, 180, 240, 480, 330, -300, -240, -180, 420, 540, 300, 360, -360, -420, -480, 600, 210, 270, 345, 390, 570, 660, 720,
  780, 630, 525, 765, 825, 840, -60, -120, -210, -150, -540, -570, -600, -660, -720,
] as const;
/** Most calls of the search for a zone: every offset in both orders, and a negative control for each of a few codes. */
export const mostZoneCalls = 2 * zoneMinutes.length + 4;

/**
 * Runs the plan: yields one call after the other and takes its response. It ends by itself; whoever runs it may stop it at any call,
 * because `conclude` reads only what was seen. Each body on which a yes rests has its negative control.
 */
export function* probing(ground: ProbeGround): Asking<void> {
  const asking = createAsking();
  const { ask } = asking;
  const now: Moment = { order: ground.orders.gameList, moved: ground.zoneSeconds };
  const list = (id: ProbeId, time: ProbeTime, wrong: Probe['wrong'] = 'nothing'): Probe => {
    return { id, operation: 'gameList', text: ground.listText, hashed: null, keyOf: null, time, wrong };
  };

  const first = yield list('wrongHash', now, 'hash');
  if (first.code !== wrongHashCode) return;
  asking.controlled(list('wrongHash', now));
  const isRight = yield* ask(list('right', now));
  const time = isRight ? now : yield* findTime(ground, now, clockShift(first), (id, moment) => ask(list(id, moment)));
  // With a time that is refused itself, code 8 says nothing about the order; code 9 does.
  yield list('bothWrong', time ?? now, 'both');
  if (time === null) {
    for (const { id } of ground.otherKeys) if (yield* ask({ ...list('otherKey', now), keyOf: id })) return;
    return;
  }
  const isUnread = yield* ask(list('timeWord', { word: 'probe' }));
  if (isRight && !isUnread) yield* ask(list('otherOrder', { ...time, order: otherOrder(time.order) }));

  const orderOf = (operation: ProbeOperation) => (isRight ? ground.orders[operation] : time.order);
  const dataTime = yield* probeData(ask, { ...time, order: orderOf('getGameRound') }, isUnread);
  if (dataTime !== null) {
    yield* probeForms(ask, dataTime);
    const replay: Moment = { ...time, order: orderOf('roundReplayInfo') };
    yield* ask(onRound('replay', payloads.plain, replay));
    yield* ask(onRound('replayOtherOrder', payloads.plain, { ...replay, order: otherOrder(replay.order) }));
  }
  if (ground.moved && !isUnread) {
    for (const side of [1, -1]) {
      yield* findEdge(side, (seconds) => ask(list('moved', { ...time, moved: time.moved + seconds })));
    }
  }
  yield list('again', time);
}

/** Creates `ask`, which tells whether a call passed the check of the hash: any code but 8, if the same body with a wrong hash gets 8. */
function createAsking() {
  const controls = new Map<string, boolean>();
  /** Codes that came for a wrong hash, too, whatever the time was. */
  const proveNothing = new Set<string>();

  function* ask(probe: Probe): Asking<boolean> {
    const { code } = yield probe;
    if (code === wrongHashCode) return false;
    const body = bodyOf(probe);
    const known = controls.get(body);
    if (known !== undefined) return known;
    const kind = JSON.stringify([probe.operation, probe.text, code]);
    if (proveNothing.has(kind)) return false;
    const control = yield { ...probe, id: 'control', hashed: null, keyOf: null, wrong: 'hash' };
    if (control.code === code) proveNothing.add(kind);
    controls.set(body, control.code === wrongHashCode);
    return control.code === wrongHashCode;
  }
  return { ask, controlled: (probe: Probe) => void controls.set(bodyOf(probe), true) };
}

type Ask = (probe: Probe) => Asking<boolean>;

/** Returns the seconds that bring our clock to the provider's, about; 0 if the two may be equal. */
function clockShift({ clock }: ProbeResponse): number {
  return clock === null || leastDifference(clock) === 0 ? 0 : Math.round((clock.from + clock.to) / 2_000);
}

/** Looks for a time that the provider accepts, after it refused the environment's; null if there is none among those that may be sent. */
function* findTime(
  { moved }: ProbeGround,
  now: Moment,
  shift: number,
  ask: (id: ProbeId, time: Moment) => Asking<boolean>,
): Asking<Moment | null> {
  const orders = [now.order, otherOrder(now.order)];
  const tries: [ProbeId, Moment][] = [['otherOrder', { ...now, order: otherOrder(now.order) }]];
  if (shift !== 0) for (const order of orders) tries.push(['serverClock', { order, moved: now.moved + shift }]);
  const zones = moved ? zoneMinutes.filter((minutes) => minutes * 60 !== now.moved) : [];
  for (const minutes of zones) for (const order of orders) tries.push(['otherZone', { order, moved: minutes * 60 + shift }]);
  for (const [id, time] of tries) if (yield* ask(id, time)) return time;
  return null;
}

/** Returns the time with which a plain getGameRound passes; null if it does not, so that nothing about `data` can be asked. */
function* probeData(ask: Ask, time: Moment, isUnread: boolean): Asking<Moment | null> {
  const other = { ...time, order: otherOrder(time.order) };
  const isRight = yield* ask(onRound('data', payloads.plain, time));
  if (isUnread && isRight) return time;
  const passesOther = yield* ask(onRound('dataOtherOrder', payloads.plain, other));
  if (isRight) return time;
  if (passesOther) return other;
  yield* ask(onRound('noData', payloads.plain, time, ''));
  return null;
}

/** Asks which text of `data` is hashed, likeliest first, and how objects and numbers are encoded again, if they are. */
function* probeForms(ask: Ask, time: Moment): Asking<void> {
  const { forms, object, number } = payloads;
  const texts: [ProbeId, string | null][] = [
    ['escaped', forms.escaped],
    ['received', null],
    ['bare', forms.bare],
    ['slashes', forms.slashes],
    ['bareSlashes', forms.bareSlashes],
  ];
  let form: ProbeId | null = null;
  for (const [id, text] of texts) {
    if (form === null && (yield* ask(onRound(id, forms.sent, time, text)))) form = id;
  }
  if (form === null || form === 'received') return;
  if (!(yield* ask(onRound('arrays', object.sent, time, object.arrays)))) yield* ask(onRound('objects', object.sent, time));
  if (!(yield* ask(onRound('shortNumber', number.sent, time, number.short))))
    yield* ask(onRound('longNumber', number.sent, time));
}

/** Halves the ladder until the largest accepted and the smallest refused time on one side are known. */
function* findEdge(side: number, ask: (seconds: number) => Asking<boolean>): Asking<void> {
  let [accepted, refused] = [-1, ladder.length as number];
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1;
    if (yield* ask(side * (ladder[middle] ?? 0))) accepted = middle;
    else refused = middle;
  }
}

function onRound(id: ProbeId, text: string, time: ProbeTime, hashed: string | null = null): Probe {
  const operation = id === 'replay' || id === 'replayOtherOrder' ? 'roundReplayInfo' : 'getGameRound';
  return { id, operation, text, hashed, keyOf: null, time, wrong: 'nothing' };
}
