import { openActionNames, serviceNames, type OpenActionName, type ServiceName } from '#shared/model/operations.ts';
import { operationByName } from '#shared/provider/operations.ts';
import type { Choices } from './choices.ts';
import { type Code, type Judgement, messageOf, standsInText, undocumentedStatus } from './codes.ts';
import type { HashJudge } from './hash-judge.ts';
import type { HashComparison } from './hash-comparison.ts';
import { notJson, phpDecode, phpEncode, type PhpObject, type PhpValue, textOf } from './php-json.ts';
import type { Action } from './service-actions.ts';
import { whenThere, type Soon } from './soon.ts';
import type { TimeRule } from './time-rule.ts';

/** Names of the actions whose names the spec does not show; without one, the action is unknown. */
export type OpenActionNames = Readonly<Partial<Record<OpenActionName, string>>>;

/**
 * Judges one request to /serviceApi.php by its body. Only the explanation of a wrong hash may come later: whatever an action changes has happened
 * when the function returns. `isGone`: nobody waits for the response any more.
 */
export type ServiceApi = (bodyText: string, isGone: () => boolean) => Soon<Judgement>;

/**
 * Creates the service API, which checks in a fixed order: JSON, platform and partnerId (code 9), time and hash (code 8), then the action and
 * its fields. The order, and the codes for reasons without a documented one, are the provider's assumptions; `choices.first` swaps 9 and 8.
 */
export function createServiceApi(deps: {
  platform: number;
  partnerId: number;
  hashJudge: HashJudge;
  timeRule: TimeRule;
  choices: Pick<Choices, 'mode' | 'decode' | 'first'>;
  actions: Readonly<Record<ServiceName, Action>>;
  /** Read at each request. */
  names: () => OpenActionNames;
}): ServiceApi {
  const entryOf = actionFinder(deps.actions, deps.names);
  const { mode, decode, first } = deps.choices;
  const associative = mode === 'reencode' && decode === 'arrays';

  /** Returns the rejection of a wrong platform or partnerId; null if both are right. */
  function judgeIdentity({ envelope, action }: Received): Judgement | null {
    const fault = identityFault('platform', envelope, deps.platform) ?? identityFault('partnerId', envelope, deps.partnerId);
    return fault === null ? null : rejected(9, 200, action, fault);
  }

  /** Returns the rejection of a wrong time or hash; null if both are right. */
  function judgeHash({ envelope, action, data, dataText }: Received, isGone: () => boolean): Soon<Judgement> | null {
    const [time, hash] = [envelope.get('time'), envelope.get('hash')];
    if (typeof time !== 'string') {
      const why = `time is ${time === undefined ? 'missing' : 'not a string'}, so no hash can match.`;
      return compared(rejected(8, 200, action, why), deps.hashJudge.withoutTime({ dataText, data, hash }));
    }
    const fault = deps.timeRule(time, action);
    if (fault !== null) return rejected(8, undocumentedStatus, action, fault);
    const [platform, partnerId] = [textOf(envelope.get('platform')), textOf(envelope.get('partnerId'))];
    const request = { action: action ?? '', platform, partnerId };
    const judged = deps.hashJudge.judge({ time, dataText, data, hash, request, isGone });
    if (judged.ok) return null;
    return whenThere(judged.explained, ({ reason, comparison, why }) =>
      compared(rejected(8, 200, action, reason), comparison, why),
    );
  }

  return (bodyText, isGone) => {
    const decoded = phpDecode(bodyText, { associative });
    if (!decoded.ok) return rejected(9, undocumentedStatus, null, notJson(bodyText, decoded.fault));
    if (!(decoded.value instanceof Map)) return rejected(9, undocumentedStatus, null, 'The body is not a JSON object.');
    const envelope = decoded.value;
    const actionField = envelope.get('action');
    const action = typeof actionField === 'string' ? actionField : null;

    const data = envelope.get('data') ?? undefined;
    const span = decoded.spans.get('data');
    const dataText = data === undefined || !span ? null : bodyText.slice(span[0], span[1]);
    const received = { envelope, action, data, dataText };
    const fault =
      first === 'hash'
        ? (judgeHash(received, isGone) ?? judgeIdentity(received))
        : (judgeIdentity(received) ?? judgeHash(received, isGone));
    if (fault !== null) return fault;

    const entry = action === null ? undefined : entryOf(action);
    if (!entry) return rejected(9, undocumentedStatus, action, unknownAction(action), hashIsRight);
    const payload = entry.inEnvelope ? envelope : payloadOf(data);
    if (!payload) return rejected(9, undocumentedStatus, action, 'data must be an object.', hashIsRight);
    const outcome = entry.run(payload);
    if (outcome.ok) {
      const { why: reason = '' } = outcome;
      const why = `platform, partnerId and hash are right. ${reason}`.trim();
      const verdict = { code: 0, message: messageOf(0), why, reason, standsIn: false };
      return { status: 200, body: `{"code":0,"message":"ok","data":${outcome.data}}`, action, verdict };
    }
    const [code, status]: [Code, number] = outcome.cause === 'token' ? [404, 200] : [9, undocumentedStatus];
    return rejected(code, status, action, outcome.why, hashIsRight);
  };
}

/** A request's envelope with its action; `dataText` is the text of `data` as received, null if there is none. */
interface Received {
  readonly envelope: PhpObject;
  readonly action: string | null;
  readonly data: PhpValue | undefined;
  readonly dataText: string | null;
}

const hashIsRight = 'The hash is right. ';

/** Returns a rejection of the service endpoint: code, message and `data` null. `before` comes before the reason in the log. */
export function rejected(code: Code, status: number, action: string | null, reason: string, before = ''): Judgement {
  const message = messageOf(code);
  const standsIn = status === undocumentedStatus;
  const why = `${before}${reason}${standsIn ? ` ${standsInText(code)}` : ''}`;
  const verdict = { code, message, why, reason, standsIn };
  return { status, body: phpEncode({ code, message, data: null }) ?? '', action, verdict };
}

/** Adds the expected values to the verdict for the log, and leaves the response as it is. */
function compared(judgement: Judgement, comparison: HashComparison, why = judgement.verdict.why): Judgement {
  return { ...judgement, verdict: { ...judgement.verdict, why, ...comparison } };
}

interface ActionEntry {
  readonly run: Action;
  /** True if the operation's fields are in the envelope itself. */
  readonly inEnvelope: boolean;
}

/** Finds the operation of an action: one that the spec names, otherwise one whose name was chosen for this provider. */
function actionFinder(
  actions: Readonly<Record<ServiceName, Action>>,
  names: () => OpenActionNames,
): (action: string) => ActionEntry | undefined {
  // An operation without a documented payload may come without data.
  const entryOf = (name: ServiceName) => ({ run: actions[name], inEnvelope: operationByName(name).payload === 'envelope' });
  const shown = new Map(serviceNames.map((name) => [operationByName(name).action, entryOf(name)]));
  return (action) => {
    const known = shown.get(action);
    if (known !== undefined || action === '') return known;
    const chosen = names();
    const open = openActionNames.find((name) => chosen[name] === action);
    return open === undefined ? undefined : entryOf(open);
  };
}

function unknownAction(action: string | null): string {
  return action === null ? 'action is missing or not a string.' : `There is no action ${JSON.stringify(action.slice(0, 100))}.`;
}

/** Accepts an empty array as an empty object, because PHP turns `{}` into one when it decodes associatively. */
function payloadOf(data: PhpValue | undefined): PhpObject | null {
  if (data instanceof Map) return data;
  return data === undefined || (Array.isArray(data) && data.length === 0) ? new Map() : null;
}

function identityFault(name: 'platform' | 'partnerId', envelope: PhpObject, expected: number): string | null {
  const value = envelope.get(name);
  if (value === undefined) return `${name} is missing.`;
  if (typeof value === 'bigint' || typeof value === 'number') {
    const same = typeof value === 'bigint' ? value === BigInt(expected) : value === expected;
    return same ? null : `${name} is ${phpEncode(value) ?? 'not finite'} and should be ${expected}.`;
  }
  return `${name} is not a number; it should be ${expected}, without quotes.`;
}
