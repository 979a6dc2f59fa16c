import type { Variables } from '#shared/collections/model.ts';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import type { Call, RequestDraft } from '#shared/ipc/index.ts';
import { IDLE, type Sending } from './sending.ts';
import { contentKey, noExtras, type RequestContent, type TabFile } from './tab-file.ts';

/** The view of the request that is open. */
export type RequestView = 'form' | 'data' | 'checks' | 'envelope' | 'examples';

/** The call of the history that a request was opened from, with the environment that it went to. */
export interface TabOrigin {
  readonly callId: number;
  readonly environmentId: string;
  readonly environmentName: string;
}

/** The part of a run that a request was opened from, to be corrected. */
export interface TabRun {
  readonly callId: number;
  /** Values of its variables as that call sent them; they count before all others. */
  readonly values: Variables;
  /** The checks that failed, by their position in `expect`. */
  readonly failed: ReadonlyMap<number, CheckResult>;
}

/** One open request. `text` is what was typed, byte for byte. */
export interface RequestTab extends RequestContent {
  readonly id: string;
  /** The file of the tab; null without one. */
  readonly file: TabFile | null;
  readonly view: RequestView;
  /** True if the request differs from its file; without one, from its template and from what was last sent or opened. */
  readonly dirty: boolean;
  /** The state that counts as clean; null without one. */
  readonly clean: string | null;
  /** The last call of this tab; `call` is loaded when the tab is shown. */
  readonly callId: number | null;
  readonly call: Call | null;
  /** Null if it was not opened from a call, and once the user keeps it for another environment. */
  readonly origin: TabOrigin | null;
  /** Null unless it was opened from a run. It is kept nowhere: the values may hold tokens. */
  readonly run: TabRun | null;
  readonly sending: Sending;
}

/** Returns a tab of a request that counts as clean as it is; `call` is the call that it shows. */
export function startedTab(
  id: string,
  draft: Omit<RequestDraft, 'environmentId'>,
  { call = null, extras = noExtras }: { readonly call?: Call | null; readonly extras?: RequestTab['extras'] } = {},
): RequestTab {
  const { operation, form, text, overrides } = draft;
  const content = { operation, form, text, overrides, extras };
  return {
    id,
    ...content,
    file: null,
    view: 'form',
    dirty: false,
    clean: contentKey(content),
    callId: call?.id ?? null,
    call,
    origin: call === null ? null : originOf(call),
    run: null,
    sending: IDLE,
  };
}

/** Returns the tab after an edit. */
export function edited(tab: RequestTab, change: Partial<RequestContent>): RequestTab {
  const next = { ...tab, ...change };
  // A refusal was about the text before this edit.
  const sending = next.sending.state === 'refused' ? IDLE : next.sending;
  return { ...next, sending, dirty: next.clean === null || contentKey(next) !== next.clean };
}

/** Returns the call and its environment as the origin of a request. */
export function originOf({ id, environmentId, environmentName }: Call): TabOrigin {
  return { callId: id, environmentId, environmentName };
}
