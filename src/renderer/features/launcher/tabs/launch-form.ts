import { balanceText } from '#renderer/calls/session-tokens.tsx';
import type { Environment, EnvironmentDefaults, Input, SandboxPlayer } from '#shared/ipc/index.ts';

/** The fields of a launch that are typed. The mode and the token are kept apart: a token is never remembered. */
export const fieldNames = ['gameId', 'lang', 'country', 'playerId', 'ip', 'exitURL'] as const;
export type FieldName = (typeof fieldNames)[number];
export type Typed = Readonly<Partial<Record<FieldName, string>>>;

/** `both`: in fun and in real mode side by side. */
export type LaunchMode = 'real' | 'fun' | 'both';

/** Source of the token in real mode. */
export type TokenFrom = NonNullable<Input<'launches.prepare'>['tokenFrom']>;

/** Returns a field's text: what was typed, else the environment's default. */
export function fieldText(typed: Typed, name: FieldName, environment: Environment | null): string {
  const usual: Partial<EnvironmentDefaults> = environment?.defaults ?? {};
  return typed[name] ?? (name === 'gameId' ? '' : (usual[name] ?? ''));
}

/** Returns whether the mode includes real mode, which needs a token. */
export function needsToken(mode: LaunchMode): boolean {
  return mode !== 'fun';
}

/** Reasons why a launch cannot be sent, by the field to correct. */
export interface FormProblems {
  readonly gameId?: string;
  readonly token?: string;
}

/** The form of a launch. */
interface LaunchForm {
  readonly typed: Typed;
  readonly mode: LaunchMode;
  readonly token: string;
  readonly tokenFrom: TokenFrom;
}

/** Finds only what could not lead to a launch at all; the provider judges the rest. */
export function formProblems({ typed, mode, token, tokenFrom }: LaunchForm): FormProblems {
  const problems: { gameId?: string; token?: string } = {};
  if ((typed.gameId ?? '').trim() === '') problems.gameId = 'Enter a game number from the game list.';
  if (needsToken(mode) && tokenFrom === 'typed' && token.trim() === '')
    problems.token = 'Real mode needs a session token. Enter or choose one.';
  return problems;
}

/** Returns a hint about an exit URL before it is sent; null if there is nothing to say. */
export function exitHint(exitURL: string): string | null {
  if (exitURL === '') return "Without an exit URL, Croupier can't tell when a player leaves.";
  const url = URL.parse(exitURL);
  if (url === null) return 'Not an absolute URL. It is sent as typed.';
  return url.protocol === 'https:' ? null : 'Croupier opens only https URLs. It blocks this exit, but still detects it.';
}

/** Returns the player whose session a launch uses unless another is chosen: the one that the form names, else the first. */
export function usualPlayer(players: readonly SandboxPlayer[], playerId: string): SandboxPlayer | null {
  return players.find((player) => player.playerId === playerId) ?? players[0] ?? null;
}

/** Returns `demo-1, 1,000.00 EUR`. */
export function playerText(player: SandboxPlayer): string {
  return `${player.playerId}, ${balanceText(player)}`;
}
