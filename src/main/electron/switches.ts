import type { CommandLine } from 'electron';

/** How Chromium treats WebRTC: not a packet but through the proxy of a session. Two parts of it read two names. */
const webRtcPolicy = 'disable_non_proxied_udp';

/**
 * Chromium's own settings, for the whole program, that close the ways to the network that go round the proxy of a session. The page of the
 * workbench needs no network, and core has its own.
 */
export const waysRoundProxy: readonly (readonly [name: string, value: string])[] = [
  // Names are the proxy's to look up; `dns-prefetch` would ask by itself.
  ['host-resolver-rules', 'MAP * ^NOTFOUND, EXCLUDE 127.0.0.1'],
  ['webrtc-ip-handling-policy', webRtcPolicy],
  ['force-webrtc-ip-handling-policy', webRtcPolicy],
  ['disable-quic', ''],
];

/** To be called before Electron is ready. */
export function closeWaysRoundProxy(commandLine: Pick<CommandLine, 'appendSwitch'>): void {
  for (const [name, value] of waysRoundProxy) commandLine.appendSwitch(name, value);
}
