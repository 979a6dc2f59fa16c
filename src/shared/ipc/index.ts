import { answerCalls, answerEvents } from './answers.ts';
import { appCalls, appEvents } from './app.ts';
import { callCalls, callEvents } from './calls.ts';
import { catalogueCalls, catalogueEvents } from './catalogue.ts';
import { collectionCalls, collectionEvents } from './collections.ts';
import { environmentCalls, environmentEvents } from './environments.ts';
import { exportCalls } from './exports.ts';
import { forgetCalls, forgetEvents } from './forget.ts';
import { historyCalls, historyEvents } from './history.ts';
import { importCalls, importEvents } from './imports.ts';
import { keyCalls, keyEvents } from './keys.ts';
import { launchCalls, launchEvents } from './launches.ts';
import { productionCalls, productionEvents } from './production.ts';
import { roundCalls } from './rounds.ts';
import { sandboxCalls, sandboxEvents } from './sandbox.ts';
import { runCalls, runEvents } from './runs.ts';
import { settingsCalls } from './settings.ts';
import { workspaceCalls, workspaceEvents } from './workspaces.ts';
import type { ErrorReply } from '../errors.ts';
import type { z } from './contract.ts';

/** The inside contract: everything a UI or the command line may ask of core. Every transport speaks exactly this. */
export const calls = {
  ...appCalls,
  ...answerCalls,
  ...collectionCalls,
  ...environmentCalls,
  ...keyCalls,
  ...callCalls,
  ...exportCalls,
  ...importCalls,
  ...historyCalls,
  ...forgetCalls,
  ...settingsCalls,
  ...catalogueCalls,
  ...launchCalls,
  ...productionCalls,
  ...roundCalls,
  ...sandboxCalls,
  ...runCalls,
  ...workspaceCalls,
};
export const events = {
  ...appEvents,
  ...answerEvents,
  ...collectionEvents,
  ...environmentEvents,
  ...keyEvents,
  ...callEvents,
  ...historyEvents,
  ...forgetEvents,
  ...importEvents,
  ...catalogueEvents,
  ...launchEvents,
  ...productionEvents,
  ...sandboxEvents,
  ...runEvents,
  ...workspaceEvents,
};

export type CallName = keyof typeof calls;
export type EventName = keyof typeof events;
/** What a caller may leave out is optional here. */
export type Input<K extends CallName> = z.input<(typeof calls)[K]['input']>;
/** What a handler gets: parsed, defaults filled in. */
export type ParsedInput<K extends CallName> = z.output<(typeof calls)[K]['input']>;
export type Output<K extends CallName> = z.output<(typeof calls)[K]['output']>;
export type Payload<E extends EventName> = z.output<(typeof events)[E]>;
export type Handlers = { [K in CallName]: (input: ParsedInput<K>) => Output<K> | Promise<Output<K>> };
export type Reply<V = unknown> = { ok: true; value: V } | { ok: false; error: ErrorReply };

/** What a transport offers: one way to call, one way to listen, and bytes as they are: an answer's body, a picture. */
export interface Transport {
  call(name: string, input: unknown): Promise<Reply>;
  /** Gives back the function that stops listening. */
  subscribe(listener: (name: EventName, payload: unknown) => void): () => void;
  /** By the call's id. Fails with `not_found`. */
  body(callId: number): Promise<Uint8Array>;
  /** By the id that `catalogue.thumbnail` gave. Fails with `not_found`. */
  picture(id: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** The typed face of a transport; a refused call throws an AppError. */
export interface Client {
  call<K extends CallName>(name: K, input: Input<K>): Promise<Output<K>>;
  on<E extends EventName>(name: E, listener: (payload: Payload<E>) => void): () => void;
  body(callId: number): Promise<Uint8Array>;
  picture(id: string): Promise<Uint8Array<ArrayBuffer>>;
}

export * from './answers.ts';
export * from './app.ts';
export * from './calls.ts';
export * from './catalogue.ts';
export * from './collections.ts';
export * from './environments.ts';
export * from './exports.ts';
export * from './forget.ts';
export * from './history.ts';
export * from './imports.ts';
export * from './keys.ts';
export * from './launches.ts';
export * from './production.ts';
export * from './rounds.ts';
export * from './sandbox.ts';
export * from './runs.ts';
export * from './workspaces.ts';
