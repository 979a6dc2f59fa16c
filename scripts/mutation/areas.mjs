// Which sources a mutation test changes, and which tests must notice. Paths are globs from the root; one that matches nothing is an error.

/** Areas by name: `sources` (`!` takes files out), `tests`, and the least score in percent where one is promised. */
export const areas = {
  masking: {
    least: 90,
    sources: [
      'src/main/core/masking/redaction.ts',
      'src/main/core/masking/mask-places.ts',
      'src/main/core/masking/character-spellings.ts',
      'src/main/core/masking/secret-forms.ts',
      'src/main/core/masking/secret-places.ts',
      'src/main/core/masking/token-mask.ts',
    ],
    tests: [
      'src/main/core/masking/redaction.test.ts',
      'src/main/core/masking/mask-places.test.ts',
      'src/main/core/masking/secret-places.test.ts',
      'src/main/core/masking/token-mask.test.ts',
      'src/main/core/masking/find-forms.test.ts',
    ],
  },
  access: {
    least: 90,
    sources: ['src/main/loopback/{access,gate,read-json}.ts'],
    tests: ['src/main/loopback/{access,gate,read-json}.test.ts', 'src/main/loopback/{hostile-requests,server}.test.ts'],
  },
  signing: {
    least: 90,
    sources: ['src/shared/signing/*.ts', 'src/shared/request/envelope.ts'],
    tests: ['src/shared/signing/*.test.ts', 'src/shared/request/envelope.test.ts', 'src/main/core/calls/outgoing.test.ts'],
  },
  send: {
    least: 90,
    sources: ['src/main/core/calls/*.ts'],
    tests: ['src/main/core/calls/*.test.ts', 'src/main/core/app/held-keys.test.ts', 'src/main/core/app/production.test.ts'],
  },
  keys: {
    least: 90,
    sources: ['src/main/core/keys/*.ts'],
    tests: ['src/main/core/keys/*.test.ts', 'src/main/core/app/held-keys.test.ts'],
  },
  runs: {
    least: 90,
    sources: ['src/main/core/runs/**/*.ts'],
    tests: ['src/main/core/runs/**/*.test.ts', 'src/main/core/forget/*.test.ts'],
  },
  history: {
    least: 90,
    sources: ['src/main/core/history/*.ts'],
    tests: [
      'src/main/core/history/*.test.ts',
      'src/main/core/calls/statements.test.ts',
      'src/main/core/forget/*.test.ts',
      'src/main/core/exports/exports.test.ts',
      'src/main/core/app/held-keys.test.ts',
    ],
  },
  shared: {
    sources: ['src/shared/**/*.ts', '!src/shared/signing/**', '!src/shared/request/envelope.ts', '!src/shared/ipc/**'],
    tests: [
      'src/shared/**/*.test.ts',
      '!src/shared/**/*.oracle.test.ts',
      '!src/shared/signing/**',
      '!src/shared/request/envelope.test.ts',
    ],
  },
  loopback: {
    sources: ['src/main/loopback/{game-frames,page-files,page-sockets,ports,redirect-file,replies,server}.ts'],
    tests: ['src/main/loopback/*.test.ts', '!src/main/loopback/conformance.test.ts'],
  },
  stores: {
    sources: ['src/renderer/**/*-store.ts'],
    tests: ['src/renderer/**/*.test.ts'],
  },
  core: {
    sources: ['src/main/core/**/*.ts', '!src/main/core/{keys,history,runs,calls,masking}/**'],
    tests: ['src/main/core/**/*.test.ts', '!src/main/core/{keys,history,runs,calls}/**'],
  },
};
