import type { ReportedCall } from '#shared/collections/reported-request.ts';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { holdsWord } from '#shared/provider/players.ts';
import type { Naming } from '../history/player-naming.ts';

const playerField = /\bplayerIds?\b/;

/**
 * Returns whether a line of a run's report names the player: in a field that the spec gives (also in a response that a check
 * quotes), in a check of such a field, or with the ID as a word in the report of a call that names the player.
 */
export function lineNames(naming: Naming, runId: string, line: string, read: (line: string) => object | null): boolean {
  if (naming.text(line)) return true;
  // A report says little about most requests: only a line with the ID is read.
  if (!line.includes(JSON.stringify(naming.player).slice(1, -1))) return false;
  const entry = read(line) as { request?: FinishedRequest } | null;
  if (entry?.request === undefined) return false;
  const { callId, checks, findings, reason, path, call } = entry.request.request;
  if (call !== undefined && textsOf(call).some((text) => naming.text(text))) return true;
  const says = (texts: readonly string[]) => texts.some((text) => holdsWord(text, naming.player));
  if (checks.some(({ check, expected, actual }) => playerField.test(check) && says([check, expected, actual]))) return true;
  if (callId === null || !naming.callOfRun(runId, callId)) return false;
  return says([
    reason,
    path,
    ...checks.flatMap(({ check, expected, actual, message }) => [check, expected, actual, message]),
    JSON.stringify(findings),
    ...(call === undefined ? [] : textsOf(call)),
  ]);
}

function textsOf({ url, requestBody, hashInput, responseBody, verdict }: ReportedCall): string[] {
  return [url, requestBody, hashInput ?? '', responseBody ?? '', verdict];
}
