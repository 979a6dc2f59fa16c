// Imports that still run up the floors, each file with its targets. The list may only shrink.
/** @type {Record<string, string[]>} */
export const arrowsBack = {};

/** Groups of files that still import each other in a circle, by their types alone. The list may only shrink. */
/** @type {string[][]} */
export const circlesLeft = [
  ['src/renderer/features/collections/collections-store.ts', 'src/renderer/features/collections/tree-moves.ts'],
  ['src/renderer/app/page-memory.ts', 'src/renderer/app/workbench.ts'],
  [
    'src/renderer/editor/hover.ts',
    'src/renderer/editor/load.ts',
    'src/renderer/editor/monaco.ts',
    'src/renderer/editor/spec-help.ts',
  ],
  [
    'src/renderer/features/request/hash-input-pane.tsx',
    'src/renderer/features/request/use-next-request.ts',
    'src/renderer/features/request/use-prepared-request.ts',
  ],
  [
    'src/renderer/features/open-points/answer-editor.tsx',
    'src/renderer/features/open-points/shape-editor.tsx',
    'src/renderer/features/open-points/values-editor.tsx',
  ],
  ['src/main/core/forget/forget.ts', 'src/main/core/forget/left-behind.ts'],
  ['src/main/core/app/collection-services.ts', 'src/main/core/app/late-collections.ts'],
  ['src/main/core/formats/write/support-pack.ts', 'src/main/core/formats/write/support-page.ts'],
  ['src/main/sandbox/hash-check.ts', 'src/main/sandbox/hash-comparison.ts'],
  [
    'src/main/cli/commands.ts',
    'src/main/cli/commands/call-outcome.ts',
    'src/main/cli/commands/call.ts',
    'src/main/cli/commands/env.ts',
    'src/main/cli/commands/export.ts',
    'src/main/cli/commands/hash.ts',
    'src/main/cli/commands/history-clean.ts',
    'src/main/cli/commands/history-compact.ts',
    'src/main/cli/commands/history-diff.ts',
    'src/main/cli/commands/history-export.ts',
    'src/main/cli/commands/history-forget.ts',
    'src/main/cli/commands/history-limits.ts',
    'src/main/cli/commands/history-repeat.ts',
    'src/main/cli/commands/history.ts',
    'src/main/cli/commands/import.ts',
    'src/main/cli/commands/key.ts',
    'src/main/cli/commands/operations.ts',
    'src/main/cli/commands/run.ts',
    'src/main/cli/commands/sandbox.ts',
    'src/main/cli/commands/serve.ts',
    'src/main/cli/key-question.ts',
    'src/main/cli/production.ts',
    'src/main/cli/read-input.ts',
    'src/main/cli/sandbox-environment.ts',
    'src/main/cli/secret-question.ts',
    'src/main/cli/workbench.ts',
  ],
  ['src/main/electron/game-requests.ts', 'src/main/electron/game-session.ts'],
];
