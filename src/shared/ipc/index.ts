import { answerInputs } from './answers.ts';
import { appInputs } from './app.ts';
import { callInputs } from './calls.ts';
import { catalogueInputs } from './catalogue.ts';
import { collectionInputs } from './collections.ts';
import { doctorInputs } from './doctor.ts';
import { environmentInputs } from './environments.ts';
import { exportInputs } from './exports.ts';
import { forgetInputs } from './forget.ts';
import { gatewayInputs } from './gateway.ts';
import { historyInputs } from './history.ts';
import { importInputs } from './imports.ts';
import { keyInputs } from './keys.ts';
import { launchInputs } from './launches.ts';
import { packInputs } from './packs.ts';
import { probeInputs } from './probes.ts';
import { productionInputs } from './production.ts';
import { roundInputs } from './rounds.ts';
import { runInputs } from './runs.ts';
import { sandboxInputs } from './sandbox.ts';
import { settingsInputs } from './settings.ts';
import { tokenInputs } from './tokens.ts';
import { walletInputs } from './wallet.ts';
import { workspaceInputs } from './workspaces.ts';
import type { ErrorReply } from '../errors.ts';
import type { z } from '../model/schema.ts';
import type { EventName } from './event-names.ts';
import type { events, outputs } from './outputs/index.ts';
import type { KeptPart } from './kept-part.ts';

/** The inside contract: everything a UI or the command line may ask of core, with what it sends. Every transport speaks exactly this. */
export const inputs = {
  ...answerInputs,
  ...appInputs,
  ...callInputs,
  ...catalogueInputs,
  ...collectionInputs,
  ...doctorInputs,
  ...environmentInputs,
  ...exportInputs,
  ...forgetInputs,
  ...gatewayInputs,
  ...historyInputs,
  ...importInputs,
  ...keyInputs,
  ...launchInputs,
  ...packInputs,
  ...probeInputs,
  ...productionInputs,
  ...roundInputs,
  ...runInputs,
  ...sandboxInputs,
  ...settingsInputs,
  ...tokenInputs,
  ...walletInputs,
  ...workspaceInputs,
};

export type CallName = keyof typeof inputs;
/** Input of a call as the caller writes it: fields with a default are optional. */
export type Input<K extends CallName> = z.input<(typeof inputs)[K]>;
/** Input of a call as its handler gets it: parsed, with defaults. */
export type ParsedInput<K extends CallName> = z.output<(typeof inputs)[K]>;
/** Output of a call. If this line does not compile, a call lacks its schema in `outputs/<topic>.ts`. */
export type Output<K extends CallName> = z.output<(typeof outputs)[K]>;
export type Payload<E extends EventName> = z.output<(typeof events)[E]>;
export type Handlers = {
  [K in CallName]: (input: ParsedInput<K>) => Output<K> | Promise<Output<K>>;
};
export type Reply<V = unknown> = { ok: true; value: V } | { ok: false; error: ErrorReply };

/** A transport: one way to call, one way to listen, and raw bytes of a response body or a picture. */
export interface Transport {
  call(name: string, input: unknown): Promise<Reply>;
  /** Returns the function that stops listening. */
  subscribe(listener: (name: EventName, payload: unknown) => void): () => void;
  /** Fetches a response body, or another part of a call, by the call's ID. Fails with `not_found`. */
  body(callId: number, part?: KeptPart): Promise<Uint8Array>;
  /** Fetches a picture by the ID from `catalogue.thumbnail`. Fails with `not_found`. */
  picture(id: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** A typed client of a transport; a refused call throws an AppError. */
export interface Client {
  call<K extends CallName>(name: K, input: Input<K>): Promise<Output<K>>;
  on<E extends EventName>(name: E, listener: (payload: Payload<E>) => void): () => void;
  body(callId: number, part?: KeptPart): Promise<Uint8Array>;
  picture(id: string): Promise<Uint8Array<ArrayBuffer>>;
}

export type { EventName };
export { OperationName, Overrides, RequestDraft } from '../model/draft.ts';
export {
  Environment,
  EnvironmentColor,
  EnvironmentDefaults,
  LaunchRules,
  RecordedAnswer,
  Serialization,
  Timeouts,
} from '../model/environment.ts';
export { Finding } from '../model/finding.ts';
export { AddressCheck, LaunchParameterRow } from '../model/launcher-url.ts';
export type { LaunchState } from '../model/launch-state.ts';
export type { RuleResult } from '../model/launch-verdict.ts';
export type { KeyQuestion } from '../secrets/key-question.ts';
export * from './answers.ts';
export type * from './outputs/answers.ts';
export * from './app.ts';
export type * from './outputs/app.ts';
export * from './calls.ts';
export type * from './outputs/calls.ts';
export type { KeptPart } from './kept-part.ts';
export * from './catalogue.ts';
export type * from './outputs/catalogue.ts';
export * from './collections.ts';
export type * from './outputs/collections.ts';
export * from './doctor.ts';
export type * from './outputs/doctor.ts';
export * from './environments.ts';
export type * from './outputs/environments.ts';
export * from './exports.ts';
export type * from './outputs/exports.ts';
export * from './forget.ts';
export type * from './outputs/forget.ts';
export * from './gateway.ts';
export type * from './outputs/gateway.ts';
export * from './history.ts';
export type * from './outputs/history.ts';
export * from './imports.ts';
export type * from './outputs/imports.ts';
export * from './keys.ts';
export type * from './outputs/keys.ts';
export * from './launches.ts';
export type * from './outputs/launches.ts';
export * from './packs.ts';
export type * from './outputs/packs.ts';
export * from './probes.ts';
export type * from './outputs/probes.ts';
export * from './production.ts';
export type * from './outputs/production.ts';
export * from './rounds.ts';
export type * from './outputs/rounds.ts';
export * from './runs.ts';
export type * from './outputs/runs.ts';
export * from './sandbox.ts';
export type * from './outputs/sandbox.ts';
export * from './settings.ts';
export type * from './outputs/settings.ts';
export * from './tokens.ts';
export * from './wallet.ts';
export type * from './outputs/tokens.ts';
export * from './workspaces.ts';
export type * from './outputs/workspaces.ts';
