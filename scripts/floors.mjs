// The rooms of the program, floor by floor: each world from its top floor to its ground. `ARCHITECTURE.md` shows this table as a picture.

/**
 * Worlds, in the order of the picture. A file may import its own room, lower floors of its world, `shared`, and what its room's row
 * names. `node` worlds may use Node's modules. Of `shared`, a world with `shared` sees only those rooms.
 *
 * A room is a folder, named as its path below `in`, or the `files` of its row. `npm` are packages, or paths in them; `also` are files and
 * folders elsewhere; other rooms may import only the `face` of a room that has one.
 *
 * @type {{ world: string, in: string, node?: true, shared?: string[], floors: Record<string, Room>[] }[]}
 * @typedef {{ files?: string[], npm?: string[], also?: string[], face?: string[] }} Room
 */
export const worlds = [
  {
    world: 'hosts',
    in: 'src/main',
    node: true,
    floors: [
      {
        cli: {
          npm: ['@modelcontextprotocol/server'],
          also: ['core/app/app.ts', 'core/app/tools.ts', 'core/host/host.ts', 'core/host/own-folder.ts', 'sandbox', 'loopback'],
        },
      },
      {
        electron: {
          npm: ['electron'],
          also: [
            'core/app/app.ts',
            'core/host/host.ts',
            'core/host/own-folder.ts',
            'core/network/game-proxy.ts',
            'core/host/within.ts',
            'sandbox',
          ],
        },
        loopback: {
          npm: ['ws'],
          also: ['core/app/app.ts', 'core/host/host.ts', 'core/host/own-folder.ts', 'core/host/within.ts', 'sandbox'],
        },
      },
      { process: { also: ['core/host/own-folder.ts'] } },
    ],
  },
  {
    // It judges signatures with its own parser, never with the code that signs; the doctor only says why one is wrong.
    world: 'built-in provider',
    in: 'src/main',
    node: true,
    shared: ['doctor', 'errors', 'explanation', 'ipc', 'model', 'provider'],
    floors: [{ sandbox: { npm: ['@peculiar/x509', 'yaml'] } }],
  },
  {
    world: 'core',
    in: 'src/main/core',
    node: true,
    floors: [
      { app: { also: ['keys/agent-secrets.ts', 'keys/core-dumps.ts', 'keys/fork-agent.ts', 'keys/local-secrets.ts'] } },
      { forget: {} },
      { wallet: {} },
      { runs: {}, evidence: {}, packs: {} },
      { launches: { npm: ['fast-png'] }, catalogue: {}, 'built-in-provider': {}, gateway: {}, workspaces: {}, doctor: {} },
      { 'session-tokens': {} },
      { formats: { npm: ['acorn', 'csv-parse', 'yaml'] } },
      { collections: { npm: ['json-p3', 'yaml'] } },
      { calls: {} },
      { history: {}, environments: {} },
      { settings: {} },
      {
        keys: { npm: ['keytar'], face: ['keys.ts', 'key-index.ts', 'digests.ts'] },
        network: { npm: ['quickjs-wasi'] },
        database: {},
      },
      { masking: {}, files: {} },
      { untrusted: {}, host: {}, faults: { files: ['faults.ts'] } },
    ],
  },
  {
    world: 'page',
    in: 'src/renderer',
    floors: [
      { main: { files: ['main.tsx'], npm: ['react', 'react-dom/client'] } },
      { app: { npm: ['cmdk', 'lucide-react', 'radix-ui', 'react', 'zustand'] } },
      {
        'features/collections': { npm: ['fflate', 'lucide-react', 'react', 'zustand'] },
        'features/comparison': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/doctor': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/environments': { npm: ['lucide-react', 'radix-ui', 'react', 'zustand'] },
        'features/games': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/gateway': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/history': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/launcher': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/manual': { npm: ['lucide-react', 'radix-ui', 'react', 'virtual:manual', 'zustand'] },
        'features/open-points': { npm: ['lucide-react', 'radix-ui', 'react', 'zustand'] },
        'features/provider-log': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/request': { npm: ['lucide-react', 'radix-ui', 'react', 'zustand'] },
        'features/response': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/rounds': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/runs': { npm: ['lucide-react', 'react', 'zustand'] },
        'features/settings': { npm: ['react'] },
        'features/wallet': { npm: ['lucide-react', 'react', 'zustand'] },
      },
      { calls: { npm: ['lucide-react', 'react', 'zustand'] } },
      { editor: { npm: ['monaco-editor', 'react'] }, api: {} },
      {
        ui: { npm: ['lucide-react', 'radix-ui', 'react', 'react-dom', 'react-resizable-panels'] },
        jsx: { npm: ['react'] },
        styles: {},
      },
      { faults: {} },
    ],
  },
  {
    world: 'shared',
    in: 'src/shared',
    floors: [
      { explanation: {}, forget: {}, history: {}, launches: {}, probes: {}, production: {}, rounds: {}, signer: {} },
      { calls: {} },
      { ipc: {}, wallet: {} },
      { variables: {}, request: {} },
      { collections: {} },
      { provider: {} },
      { signing: {}, secrets: {}, 'payload-text': {}, doctor: {} },
      { model: { npm: ['zod/mini', 'zod/v4/locales/en.js'] } },
      { json: {}, network: { npm: ['ipaddr.js'] } },
      {
        errors: { files: ['errors.ts', 'faults.ts'] },
        host: {
          files: [
            'amount.ts',
            'listed.ts',
            'areas.ts',
            'byte-size.ts',
            'chords.ts',
            'choices.ts',
            'commands.ts',
            'page-policy.ts',
            'page-socket.ts',
            'shortcuts.ts',
            'whole-pixels.ts',
          ],
        },
        suggestion: { files: ['suggestion.ts'] },
      },
    ],
  },
];

/** Returns the table as a picture in text: a line for each floor, and below a world the further imports of single rooms. */
export function picture() {
  const lines = [];
  for (const { world, floors, shared } of worlds) {
    if (lines.length > 0) lines.push('');
    floors.forEach((rooms, floor) => {
      const label = floor === 0 ? world : '';
      lines.push(`${label.padEnd(19)}${names(Object.keys(rooms))}`);
    });
    for (const [room, { also }] of floors.flatMap((rooms) => Object.entries(rooms))) {
      if (also) lines.push(`${''.padEnd(19)}${room} also uses ${also.join(', ')}`);
    }
    if (shared) lines.push(`${''.padEnd(19)}of shared only ${shared.join(', ')}`);
  }
  return lines.map((line) => `    ${line}`.trimEnd()).join('\n');
}

/** Features of the page share one word. */
function names(rooms) {
  const features = rooms.filter((room) => room.startsWith('features/'));
  if (features.length === 0) return rooms.join(' · ');
  return `features, none of which knows another: ${features.map((room) => room.slice('features/'.length)).join(' · ')}`;
}
