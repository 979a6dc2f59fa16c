import { app } from 'electron';

/** How Chromium treats WebRTC: not a packet but through the proxy of a session. Two parts of it read two names. */
const webRtcPolicy = 'disable_non_proxied_udp';

/**
 * Closes the ways to the network that go round the proxy of a session. They are Chromium's own settings for the whole program: the page of the
 * workbench needs no network, and core has its own. To be called before Electron is ready.
 */
export function closeWaysRoundProxy(): void {
  // Names are the proxy's to look up; `dns-prefetch` would ask by itself.
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  app.commandLine.appendSwitch('webrtc-ip-handling-policy', webRtcPolicy);
  app.commandLine.appendSwitch('force-webrtc-ip-handling-policy', webRtcPolicy);
  app.commandLine.appendSwitch('disable-quic');
}
