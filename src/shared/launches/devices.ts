import type { Device, Embedding, Insets, NetworkSpeed, PageSettings } from '../model/device.ts';

const none: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
const noInsets = { upright: none, onItsSide: none };

/** Insets of an iPhone in full screen: the notch or the island, and the bar below. */
function ofNotch(notch: number): Device['insets'] {
  return {
    upright: { top: notch, right: 0, bottom: 34, left: 0 },
    onItsSide: { top: 0, right: notch, bottom: 21, left: notch },
  };
}

function desktop(width: number, height: number): Device {
  const name = `Desktop ${width} x ${height}`;
  return { name, width, height, pixelRatio: 1, touch: false, userAgent: '', insets: noInsets };
}

function apple(
  name: string,
  system: string,
  [width, height, pixelRatio]: readonly [number, number, number],
  insets = noInsets,
): Device {
  const kind = name.startsWith('iPad') ? 'iPad; CPU OS' : 'iPhone; CPU iPhone OS';
  const version = system.replace('_', '.');
  const userAgent = `Mozilla/5.0 (${kind} ${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;
  return { name, width, height, pixelRatio, touch: true, userAgent, insets };
}

function android(
  name: string,
  system: string,
  [width, height, pixelRatio]: readonly [number, number, number],
  mobile = ' Mobile',
): Device {
  const userAgent = `Mozilla/5.0 (Linux; Android ${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{chromium}${mobile} Safari/537.36`;
  return { name, width, height, pixelRatio, touch: true, userAgent, insets: noInsets };
}

/** Screens in full, without a browser's bars. */
export const builtInDevices: readonly Device[] = [
  desktop(1_366, 768),
  desktop(1_440, 900),
  desktop(1_920, 1_080),
  apple('iPhone SE', '18_5', [375, 667, 2]),
  apple('iPhone 14', '16_0', [390, 844, 3], ofNotch(47)),
  apple('iPhone 15', '17_5', [393, 852, 3], ofNotch(59)),
  apple('iPhone 17 Pro Max', '18_7', [440, 956, 3], ofNotch(62)),
  apple('iPad', '18_5', [820, 1_180, 2]),
  apple('iPad Pro 11', '18_5', [834, 1_194, 2]),
  android('Pixel 8', '14; Pixel 8', [412, 915, 2.625]),
  android('Galaxy S24', '14; SM-S921U', [360, 780, 3]),
  android('Galaxy Tab S9', '14; SM-X710', [640, 1_024, 2.5], ''),
];

/** This computer's own browser. */
export const ownPage: PageSettings = { device: null, rotated: false, lang: '', timeZone: '', network: 'full', slowdown: 1 };

/** Bytes per second, and milliseconds that a request waits, as in the developer tools of Chrome. Null: as fast as it is. */
export const networkSpeeds: Readonly<
  Record<NetworkSpeed, { readonly down: number; readonly up: number; readonly latency: number } | null>
> = {
  full: null,
  'fast 4G': { down: 1_012_500, up: 168_750, latency: 165 },
  'slow 4G': { down: 180_000, up: 84_375, latency: 562 },
  '3G': { down: 50_000, up: 50_000, latency: 2_000 },
};

/** Returns the size of a device's screen as it is held, in CSS pixels. */
export function screenOf({ width, height }: Pick<Device, 'width' | 'height'>, rotated: boolean) {
  return rotated ? { width: height, height: width } : { width, height };
}

/**
 * Returns the settings in words, such as `iPhone 15 portrait, 393 x 852, pixel ratio 3, touch`. `framed`: without those that Chromium gives
 * no frame of another site. `roundTripMs`: as it was measured; null if it was not.
 */
export function settingsText(page: PageSettings, framed: boolean, roundTripMs: number | null): string {
  const { device, rotated, lang, timeZone, network, slowdown } = page;
  return [
    deviceName(page),
    ...(device === null ? [] : deviceParts(device, rotated, framed)),
    ...(lang === '' ? [] : [`language ${lang}`]),
    ...(timeZone === '' ? [] : [`time zone ${timeZone}`]),
    ...(network === 'full' ? [] : [networkText(network, roundTripMs)]),
    ...(slowdown === 1 ? [] : [`CPU ${slowdown} times slower`]),
  ].join(', ');
}

function networkText(network: NetworkSpeed, roundTripMs: number | null): string {
  if (roundTripMs === null) return `network set to ${network}, not measured`;
  return `network ${network}, a round trip took ${roundTripMs} ms`;
}

/** Returns the device alone, such as `iPhone 15 portrait`. */
export function deviceName({ device, rotated }: Pick<PageSettings, 'device' | 'rotated'>): string {
  if (device === null) return "this computer's screen";
  return device.touch ? `${device.name} ${rotated ? 'landscape' : 'portrait'}` : device.name;
}

/** Returns an embedding in words. */
export function embeddingText(embedding: Embedding | null): string {
  if (embedding === null) return 'as its own page';
  return `in a frame on a page of ${embedding.origin}, third-party cookies ${embedding.cookies}`;
}

/** Returns whether a browser knows a language, as `de-AT`. */
export function isLanguage(text: string): boolean {
  return isKnown(() => Intl.getCanonicalLocales(text));
}

/** Returns whether a browser knows a time zone, as `Europe/Vienna`. */
export function isTimeZone(text: string): boolean {
  return isKnown(() => new Intl.DateTimeFormat('en', { timeZone: text }));
}

function isKnown(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function deviceParts(device: Device, rotated: boolean, framed: boolean): string[] {
  const { width, height } = screenOf(device, rotated);
  const { top, right, bottom, left } = rotated ? device.insets.onItsSide : device.insets.upright;
  const covered = top + right + bottom + left > 0;
  return [
    `${width} x ${height}`,
    ...(framed ? [] : [`pixel ratio ${device.pixelRatio}`]),
    device.touch ? 'touch' : 'mouse',
    ...(covered && !framed ? [`safe area ${top} ${right} ${bottom} ${left}`] : []),
  ];
}
