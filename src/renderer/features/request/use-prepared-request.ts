import { useMemo } from 'react';
import type { Environment, Serialization } from '#shared/ipc/environments.ts';
import { operationByName, serializationOf } from '#shared/provider/index.ts';
import { prepareRequest, type PreparedRequest, type PrepareError } from '#shared/signing/envelope.ts';
import { checkStability, type Stability } from '#shared/signing/stability.ts';
import type { HashSubject } from './hash-input-pane.tsx';
import type { RequestTab } from './request-store.ts';
import { useSecond, useSettled } from './use-settled.ts';

/** What would be sent now. */
export interface Prepared {
  readonly request: PreparedRequest | null;
  readonly problem: PrepareError | null;
  readonly url: string;
  readonly subject: HashSubject;
  readonly serialization: Serialization;
  /** Of the text as it stood when the typing paused; null where there is no data. */
  readonly stability: Stability | null;
}

const SETTLE_MS = 150;

/** Prepares the tab's request at every change of its text and each second, as core would at sending. */
export function usePreparedRequest(tab: RequestTab, environment: Environment | null, now: () => number): Prepared {
  const operation = operationByName(tab.operation);
  const ticking = operation.endpoint === 'service' && tab.overrides.time === undefined;
  const second = useSecond(now, ticking);
  const { form, text, overrides } = tab;

  const result = useMemo(() => {
    if (environment === null) return null;
    return prepareRequest(
      { environmentId: environment.id, operation: operation.name, form, text, overrides },
      environment,
      second,
    );
  }, [operation, form, text, overrides, environment, second]);

  const request = result?.ok === true ? result.request : null;
  const problem = result?.ok === false ? result.error : null;
  const signed = request?.signed ?? operation.endpoint === 'service';
  const time = request?.time ?? null;
  const dataJson = request?.dataJson ?? null;
  const message = problem?.message ?? (environment === null ? 'No environment is chosen.' : null);
  const subject = useMemo((): HashSubject => {
    if (!signed) return { kind: 'unsigned' };
    return time === null ? { kind: 'refused', message: message ?? '' } : { kind: 'input', time, dataJson };
  }, [signed, time, dataJson, message]);

  const serialization = environment === null ? 'php' : serializationOf(environment);
  const settled = useSettled(signed ? dataJson : null, SETTLE_MS, `${tab.id} ${serialization}`);
  const stability = useMemo(() => (settled === null ? null : checkStability(settled, serialization)), [settled, serialization]);

  const base = operation.endpoint === 'wallet' && environment?.walletUrl ? environment.walletUrl : (environment?.baseUrl ?? '');
  return { request, problem, url: request?.url ?? base + operation.path, subject, serialization, stability };
}
