/** Part of an answer that the hosts give as bytes: the decoded body of its response, or the bytes as they came. */
export type ReceivedPart = 'body' | 'raw';

/** Returns what the path of a host asks for, `/<part>/<call ID>`; null for any other path. */
export function receivedIn(path: string): { readonly callId: number; readonly part: ReceivedPart } | null {
  const [, part, callId] = /^\/(body|raw)\/(-?[1-9]\d{0,14})$/.exec(path) ?? [];
  return part === undefined ? null : { callId: Number(callId), part: part as ReceivedPart };
}
