import { expect, it } from 'vitest';
import { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import type { CollectionNode } from '#shared/ipc/index.ts';
import { readPlan, type PlanSource } from './plan.ts';

/** So many requests of one folder, each with a text of so many characters. */
function sourceOf(requests: number, characters: number, variable = ''): PlanSource {
  const node = { name: '', operation: null, problem: null, warnings: [], unchecked: false };
  const nodes: CollectionNode[] = [
    { ...node, kind: 'folder', path: 'f' },
    ...Array.from({ length: requests }, (_, at) => ({ ...node, kind: 'request' as const, path: `f/${at}.yaml` })),
  ];
  const common = { revision: '', unknown: [], warnings: [] };
  return {
    scan: async () => ({ nodes, ignored: [] }),
    files: {
      checkFormat: async () => undefined,
      readRequest: async (path) => {
        const request = CollectionRequest.parse({ operation: 'bet', data: 'x'.repeat(characters) });
        return { ...common, path, name: path, request };
      },
      readSettings: async (path) => ({ ...common, path, settings: FolderSettings.parse({ variables: { a: variable } }) }),
    },
  };
}

it('a run whose files have too much text together is refused before all of them are read', async () => {
  await expect(readPlan(sourceOf(1_000, 4_000_000), '', 'refuse')).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'Nothing was run: the files of this run have more than 30 MB of text. Run one folder.',
  });
});

it('the variables of a folder count once, whatever lies in it', async () => {
  const { requests } = await readPlan(sourceOf(200, 100, 'v'.repeat(1_000_000)), '', 'refuse');
  expect(requests).toHaveLength(200);
});
