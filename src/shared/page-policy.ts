/** The Trusted Types policies that the page may create: that of the workers' URLs and Monaco's own, each by name. */
const trustedTypes = [
  'app-worker',
  'editorViewLayer',
  'richScreenReaderContent',
  'domLineBreaksComputer',
  'diffReview',
  'diffEditorWidget',
  'editorGhostText',
  'stickyScrollViewLayer',
  'standaloneColorizer',
  'defaultWorkerFactory',
  'tokenizeToString',
];

/**
 * Returns the content security policy of the page, the same in every host. `frame`: `self` if the host serves pages that frame games (their own
 * policy says which), otherwise null. `line`: the origin of the page's WebSocket, if it has one. The page itself refuses to be framed.
 */
export function pagePolicy(options: { frame: 'self' | null; line?: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    ["connect-src 'self'", ...(options.line === undefined ? [] : [options.line])].join(' '),
    // Monaco writes style elements and attributes; without them it loses its theme and its markers.
    "style-src 'self' 'unsafe-inline'",
    // The page shows pictures that core fetched, as blobs, and never loads one from another origin.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `frame-src '${options.frame ?? 'none'}'`,
    "require-trusted-types-for 'script'",
    `trusted-types 'allow-duplicates' ${trustedTypes.join(' ')}`,
  ].join('; ');
}

const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'local-network',
  'local-network-access',
  'loopback-network',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/** Features that a framed game may use. A header that denied them to the page would deny them to the frame, too. */
const gameFeatures = ['autoplay', 'fullscreen', 'screen-wake-lock'];

/** The `allow` attribute of a game's frame. */
export const gameFrameAllow = gameFeatures.join('; ');

/**
 * Returns the headers of every response of a host to the page, by lowercase name; `policy` comes from `pagePolicy`. `framesGames`: the host
 * shows games in frames of the page.
 */
export function pageHeaders(policy: string, { framesGames = false } = {}): Record<string, string> {
  const denied = deniedFeatures.filter((name) => !framesGames || !gameFeatures.includes(name));
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': denied.map((name) => `${name}=()`).join(', '),
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  ttf: 'font/ttf',
  woff2: 'font/woff2',
  woff: 'font/woff',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
};

/** Returns the media type of a file of the built page by its name; null for a file that no host serves. */
export function pageFileType(name: string): string | null {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(contentTypes, extension) ? (contentTypes[extension] ?? null) : null;
}

/** Returns the caching header of a file of the built page: names under `assets/` carry a digest of their content. */
export function pageFileCaching(name: string): string {
  return name.startsWith('assets/') ? 'private, max-age=31536000, immutable' : 'no-store';
}
