/** Part of a call that the hosts give as bytes: the decoded body of its response, the response as it came, or the request as it came to the gateway. */
export type KeptPart = 'body' | 'raw' | 'sentRaw';

/** Returns what the path of a host asks for, `/<part>/<call ID>`; null for any other path. */
export function keptPartIn(path: string): { readonly callId: number; readonly part: KeptPart } | null {
  const [, part, callId] = /^\/(body|raw|sentRaw)\/(-?[1-9]\d{0,14})$/.exec(path) ?? [];
  return part === undefined ? null : { callId: Number(callId), part: part as KeptPart };
}
