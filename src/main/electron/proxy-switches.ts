import type { CommandLine } from 'electron';

/** Chromium's policy for WebRTC: every packet goes through the session's proxy. Two parts of Chromium read two names. */
const webRtcPolicy = 'disable_non_proxied_udp';

/**
 * Chromium's settings for the whole program that close the ways to the network around a session's proxy. The workbench's page
 * needs no network, and core has its own.
 */
export const waysRoundProxy: readonly (readonly [name: string, value: string])[] = [
  // Only the proxy looks names up; `dns-prefetch` would do so by itself.
  ['host-resolver-rules', 'MAP * ^NOTFOUND, EXCLUDE 127.0.0.1'],
  ['webrtc-ip-handling-policy', webRtcPolicy],
  ['force-webrtc-ip-handling-policy', webRtcPolicy],
  ['disable-quic', ''],
];

/** Applies these settings. Call it before Electron is ready. */
export function closeWaysRoundProxy(commandLine: Pick<CommandLine, 'appendSwitch'>): void {
  for (const [name, value] of waysRoundProxy) commandLine.appendSwitch(name, value);
}
