import type { OpenActionNames } from './service-api.ts';
import { operationNames, serviceNames, walletNames, type OperationName } from '#shared/model/operations.ts';
import { providerCodes } from '#shared/provider/codes.ts';
import { operationByName } from '#shared/provider/operations.ts';
import { type Judgement, messageOf, standsInText } from './codes.ts';
import { actingEffects, metText, type Met } from '#shared/provider/faults-on-demand.ts';
import type { Page } from './game-pages.ts';
import { phpDecode, phpEncode } from './php-json.ts';

const walletByPath = new Map(walletNames.map((name) => [operationByName(name).path, name]));
const serviceByAction = new Map<string | null, OperationName>(serviceNames.map((name) => [operationByName(name).action, name]));

/** Returns the operation that a request asks for, before anything of it is checked; null if it names none. */
export function operationOf(path: string, bodyText: string, names: OpenActionNames): OperationName | null {
  const wallet = walletByPath.get(path);
  if (wallet !== undefined) return wallet;
  const decoded = phpDecode(bodyText);
  const action = decoded.ok && decoded.value instanceof Map ? decoded.value.get('action') : null;
  if (typeof action !== 'string' || action === '') return null;
  return (
    serviceByAction.get(action) ??
    operationNames.find((name) => Object.entries(names).some(([open, chosen]) => open === name && chosen === action)) ??
    null
  );
}

/** Returns what a request gets that is not acted on; null if it only waits, or is acted on first. */
export function instead(path: string, met: Met): Judgement | null {
  const { effect } = met;
  if (effect === null || actingEffects.has(effect.kind)) return null;
  const isWallet = walletByPath.has(path);
  const usual = isWallet ? 404 : 9;
  const code = effect.kind === 'code' ? effect.code : usual;
  const message = providerCodes.find((known) => known.code === code)?.message ?? 'fault on demand';
  const standsIn = effect.kind !== 'code';
  const reason = metText(met);
  return {
    status: effect.kind === 'status' ? effect.status : 200,
    body: phpEncode(isWallet ? { code, message } : { code, message, data: null }) ?? '',
    action: null,
    verdict: {
      code,
      message: standsIn ? messageOf(usual) : message,
      why: standsIn ? `${reason} ${standsInText(usual)}` : reason,
      reason,
      standsIn,
    },
  };
}

/** Adds to a verdict that its response is held back or does not leave. */
export function withMet(judged: Judgement, met: Met): Judgement {
  const said = metText(met);
  if (said === '') return judged;
  const { why, reason } = judged.verdict;
  return { ...judged, verdict: { ...judged.verdict, why: `${why} ${said}`, reason: `${reason} ${said}`.trim() } };
}

/** Returns whether the connection is cut in place of a response. */
export function isCut({ effect }: Met): boolean {
  return effect?.kind === 'cut' || effect?.kind === 'cutAfter';
}

/** Returns the pace of the response. */
export function paceOf({ effect }: Met): Pick<Page, 'pace'> {
  return effect?.kind === 'cutBody' || effect?.kind === 'drip' ? { pace: effect.kind } : {};
}
