import type { ProbeFinding, ProbeId, ProbeOperation } from '../ipc/outputs/probes.ts';
import type { TimeOrder } from '../signing/time.ts';
import { passedTime } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { fact } from './part.ts';
import type { Part, PointAnswer, Probed } from './part.ts';
import { otherOrder } from './probe.ts';
import type { SeenProbe } from './probe.ts';
import { duration, offsetText, orderText, zoneLike } from './time-words.ts';
import { listed } from '../listed.ts';

/** Largest tolerance, in seconds, with which an accepted time tells the provider's zone: zones differ by a quarter of an hour. */
const telling = 450;

/** Concludes about key, time and clock from the calls of gameList, and about the order of `time` in each operation. */
export function concludeTime(evidence: Evidence, probed: Probed): Part {
  const right = evidence.seen('right');
  if (right === null) return { findings: [], answers: [] };
  const passed = passedTime(evidence);
  const first = passed === null ? notFound(evidence, probed, right) : found(evidence, probed, right, passed);
  const word = evidence.yes('timeWord');
  const unread =
    word === null
      ? []
      : [
          fact(
            "gameList only hashes time and doesn't read it: its order, its zone and the clock can't be wrong.",
            evidence.calls(word),
          ),
        ];
  const orders = concludeOrders(evidence, probed);
  return {
    findings: [first, ...unread, ...orders.findings, ...concludeEdges(evidence, probed)],
    answers: orders.answers,
  };
}

function found(evidence: Evidence, { ground, environment, now }: Probed, right: SeenProbe, passed: SeenProbe): ProbeFinding {
  const order = ground.orders.gameList;
  const calls = evidence.calls(right, passed);
  const { time, id } = passed.probe;
  if (id === 'right' || 'word' in time) {
    const written = `${orderText(order)}, in ${environment.timeZone}`;
    return fact(`The key is right, and the provider accepts time as this environment writes it (${written}).`, calls);
  }
  const isOther = time.order !== order;
  const also = isOther ? ` It also wants ${orderText(time.order)}.` : '';
  if (id === 'otherOrder') {
    const text = `The provider wants ${orderText(time.order)} in time. This environment writes ${orderText(order)}.`;
    return { kind: 'fault', text, fix: 'Record the answer to time.order. The environment then uses it.', calls };
  }
  if (id === 'serverClock') {
    const seconds = time.moved - ground.zoneSeconds;
    const text = `This machine's clock is about ${duration(Math.abs(seconds))} ${seconds > 0 ? 'behind' : 'ahead of'} the provider's, which the provider rejects.${also}`;
    return { kind: 'fault', text, fix: "Set this machine's clock from the network (NTP).", calls };
  }
  const offset = Math.round(time.moved / 900) * 900;
  const zone = zoneLike(offset, now);
  const own = `at ${offsetText(ground.zoneSeconds)} (${environment.timeZone})`;
  if (!isTelling(edgesOf(evidence, passed))) {
    const text = `The provider accepts the time at ${offsetText(offset)}, but not ${own}, which this environment uses. Its time zone is close to ${offsetText(offset)}.${also}`;
    return { kind: 'fault', text, fix: 'Ask the provider for its time zone, and set it in the environment.', calls };
  }
  const text = `The provider reads time at ${offsetText(offset)}. This environment writes it ${own}.${also}`;
  const example = zone === null ? '' : `, such as ${zone}`;
  const fix = `Ask the provider for its time zone, and set it in the environment: one with this offset now${example}.`;
  return { kind: 'fault', text, fix, calls };
}

function notFound(evidence: Evidence, { ground, environment }: Probed, right: SeenProbe): ProbeFinding {
  const tried: ProbeId[] = ['otherOrder', 'serverClock', 'otherZone'];
  const calls = evidence.calls(right, ...tried.map((id) => evidence.seen(id)));
  const otherKey = evidence.yes('otherKey');
  if (otherKey !== null) {
    const name = ground.otherKeys.find(({ id }) => id === otherKey.probe.keyOf)?.name ?? '';
    const text = `The key is wrong: gameList passes with the key of ${name} and the same time.`;
    const fix = `Set the key that belongs to platform ${environment.platform} and partnerId ${environment.partnerId}.`;
    return { kind: 'fault', text, fix, calls: evidence.calls(right, otherKey) };
  }
  const words = ['day and year swapped'];
  if (evidence.seen('serverClock') !== null) words.push("the server's time");
  if (evidence.seen('otherZone') !== null) words.push('every other time zone');
  const text = `The key or the time is wrong: according to the spec, gameList hashes nothing else. No call passed, not even with ${listed(words)}.`;
  const more = ground.moved ? '' : ' If the key is right, run the plan again with shifted times to find the time zone.';
  const fix = `Set the key again and compare its fingerprint with the provider's: one space or line break changes the hash.${more}`;
  return { kind: 'fault', text, fix, calls };
}

/** The calls that show the orders of one operation. */
const orderProbes: Readonly<Record<ProbeOperation, readonly ProbeId[]>> = {
  gameList: ['right', 'otherOrder', 'serverClock', 'otherZone'],
  getGameRound: ['data', 'dataOtherOrder'],
  roundReplayInfo: ['replay', 'replayOtherOrder'],
};

type Accepted = TimeOrder | 'either';

/** Returns the orders that an operation accepts, by its calls; null if it was not called or accepted none. */
function acceptedOrder(evidence: Evidence, operation: ProbeOperation) {
  const asked = orderProbes[operation].flatMap((id) => evidence.all(id));
  const isUnread = operation === 'gameList' && evidence.yes('timeWord') !== null;
  const replies = new Map<TimeOrder, SeenProbe>();
  for (const seen of asked) {
    const { time } = seen.probe;
    if (!('word' in time) && evidence.reply(seen) === 'yes') replies.set(time.order, seen);
  }
  const [one, ...others] = [...replies.keys()];
  if (one === undefined) return null;
  const isEither = others.length > 0 || isUnread;
  // That the other order is rejected has to be seen as well.
  const refused = asked.find(
    (seen) => isRejected(evidence, seen) && !('word' in seen.probe.time) && seen.probe.time.order === otherOrder(one),
  );
  if (!isEither && refused === undefined) return null;
  const order: Accepted = isEither ? 'either' : one;
  const word = isUnread ? evidence.yes('timeWord') : null;
  return { operation, order, isUnread, calls: evidence.calls(...replies.values(), word, isEither ? null : (refused ?? null)) };
}

function concludeOrders(evidence: Evidence, { ground: { orders } }: Probed): Part {
  const operations: readonly ProbeOperation[] = ['gameList', 'getGameRound', 'roundReplayInfo'];
  const known = operations.flatMap((operation) => acceptedOrder(evidence, operation) ?? []);
  const findings = known.map(({ operation, order, calls }) => {
    const text = order === 'either' ? 'both orders of day and year' : `only ${orderText(order)}`;
    return fact(`${operation} accepts ${text}.`, calls);
  });
  const common = known.filter(({ operation }) => operation !== 'roundReplayInfo');
  const replay = known.find(({ operation }) => operation === 'roundReplayInfo');
  const answers: PointAnswer[] = [];
  const general = common.find(({ order }) => order !== 'either') ?? common[0];
  const generalValue = general === undefined || general.order === 'either' ? orders.gameList : general.order;
  if (general !== undefined) {
    const calls = common.flatMap((one) => one.calls);
    const seen = `Seen in ${listed(common.map(({ operation }) => operation))}.`;
    answers.push({ point: 'time.order', value: generalValue, calls, remark: remark(general, seen) });
  }
  for (const { operation, order, calls } of common) {
    if (order !== 'either' && order !== generalValue) answers.push({ point: `time.order.${operation}`, value: order, calls });
  }
  if (replay !== undefined) {
    const value = replay.order === 'either' ? orders.roundReplayInfo : replay.order;
    answers.push({ point: 'time.order.roundReplayInfo', value, calls: replay.calls, remark: remark(replay, '') });
  }
  return { findings, answers };
}

function remark({ order, isUnread }: { readonly order: Accepted; readonly isUnread: boolean }, seen: string): string {
  const other = order !== 'either' ? 'The other order was rejected.' : isUnread ? 'A word passed too.' : 'Both orders passed.';
  return `${other} ${seen}`.trim();
}

/** Returns whether a time is rejected: by code 8, or by another code that comes whatever the hash is. */
function isRejected(evidence: Evidence, seen: SeenProbe): boolean {
  return evidence.reply(seen) === 'no' || evidence.isBeforeHash(seen);
}

/** Seconds by which time may be ahead and behind: the largest difference that passed, and the smallest that did not. */
type Edges = readonly { readonly accepted: number; readonly refused: number }[];

function edgesOf(evidence: Evidence, passed: SeenProbe): Edges {
  const [moved, base] = [evidence.all('moved'), secondsOf(passed)];
  return ([1, -1] as const).map((side) => {
    const ofSide = moved.filter((seen) => Math.sign(secondsOf(seen) - base) === side);
    const differences = (of: readonly SeenProbe[]) => of.map((seen) => Math.abs(secondsOf(seen) - base));
    const accepted = ofSide.filter((seen) => evidence.reply(seen) === 'yes');
    const refused = ofSide.filter((seen) => isRejected(evidence, seen));
    return { accepted: Math.max(0, ...differences(accepted)), refused: Math.min(Infinity, ...differences(refused)) };
  });
}

/** Returns whether no other zone would pass as well. */
function isTelling(edges: Edges): boolean {
  return edges.every(({ refused }) => refused <= telling);
}

/** Says how far time may be ahead and behind, and in which zone it is read if that is close enough to tell. */
function concludeEdges(evidence: Evidence, { environment, ground }: Probed): ProbeFinding[] {
  const [passed, moved] = [passedTime(evidence), evidence.all('moved')];
  if (passed === null || moved.length === 0) return [];
  const edges = edgesOf(evidence, passed);
  const [ahead, behind] = edges.map(({ accepted, refused }) => {
    if (refused === Infinity) return `${duration(accepted)} and more`;
    return `${accepted === 0 ? 'less' : `at least ${duration(accepted)}, less`} than ${duration(refused)}`;
  });
  const calls = evidence.calls(...moved);
  const range = fact(`time may be ahead by ${ahead}, and behind by ${behind}.`, calls);
  if (!isTelling(edges) || passed.probe.id === 'otherZone') return [range];
  const zone = `The provider reads time at ${offsetText(ground.zoneSeconds)}, the current offset of ${environment.timeZone}.`;
  return [range, fact(zone, calls)];
}

function secondsOf({ probe: { time } }: SeenProbe): number {
  return 'word' in time ? 0 : time.moved;
}
