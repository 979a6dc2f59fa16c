import { mostResponseBytes } from './limits.ts';

/** Ways in which `data` becomes the bytes that are hashed and sent: see docs/signing.md. */
export const serializations = ['php', 'php-unicode', 'verbatim'] as const;

export const environmentColors = ['green', 'blue', 'violet', 'amber', 'red', 'grey'] as const;

/** Defaults of an environment. */
export const defaultEnvironment = {
  color: 'blue',
  walletUrl: '',
  timeZone: 'UTC',
  serialization: 'php',
  defaults: { currency: 'EUR', lang: 'en', country: 'DE', ip: '203.0.113.9', exitURL: '', playerId: 'player-1' },
  ca: '',
  /** Milliseconds. */
  timeouts: { connect: 10_000, headers: 15_000, idle: 15_000, total: 60_000 },
  maxResponseBytes: mostResponseBytes,
  /** Seconds. */
  launchRules: { readyWithin: 30, slowAfter: 10, noise: [], readySigns: [], errorTexts: [] },
} as const;
