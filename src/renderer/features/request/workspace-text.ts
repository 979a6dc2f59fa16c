import { OperationName, Overrides } from '#shared/ipc/calls.ts';
import { CollectionRequest } from '#shared/collections/model.ts';
import { otherwise, z } from '#shared/ipc/contract.ts';
import { noExtras } from './tab-file.ts';
import type { RequestState } from './request-store.ts';

/** What `settings.write` takes at most. */
const MAX_LENGTH = 2_097_152;

const SavedTab = z.object({
  operation: OperationName,
  form: z.string(),
  text: z.string(),
  overrides: Overrides,
  extras: otherwise(z.pick(CollectionRequest, { take: true, expect: true, notes: true, examples: true }), noExtras),
  file: otherwise(z.nullable(z.object({ collectionId: z.string(), path: z.string(), revision: z.string() })), null),
  view: otherwise(z.enum(['form', 'data', 'checks', 'envelope', 'examples']), 'form'),
  dirty: z.boolean(),
  callId: z.nullable(z.int()),
  origin: otherwise(z.nullable(z.object({ callId: z.int(), environmentId: z.string(), environmentName: z.string() })), null),
});

const Share = z.number().check(z.gte(1), z.lte(99));

const SavedWorkspace = z.object({
  version: z.literal(1),
  active: z.int(),
  orientation: otherwise(z.enum(['side', 'stacked']), 'side'),
  shares: otherwise(z.object({ panes: Share, hash: Share }), { panes: 50, hash: 70 }),
  hashPane: otherwise(z.boolean(), true),
  comments: otherwise(z.boolean(), true),
  about: otherwise(z.nullable(z.boolean()), null),
  tabs: z.array(z.unknown()),
});

/** The open tabs as they are remembered between runs. */
export type SavedWorkspace = Omit<z.infer<typeof SavedWorkspace>, 'tabs'> & { tabs: z.infer<typeof SavedTab>[] };

/** JSON text of the open tabs, at most 2,097,152 characters: where they are more, the longest sent ones go first, then the longest. */
export function writeWorkspace(
  state: Pick<RequestState, 'tabs' | 'activeId' | 'orientation' | 'shares' | 'hashPane' | 'comments' | 'about'>,
): string {
  const { orientation, shares, hashPane, comments, about } = state;
  let kept = [...state.tabs];
  for (;;) {
    const tabs = kept.map(({ operation, form, text, overrides, extras, file, view, dirty, callId, origin }) => ({
      operation,
      form,
      text,
      overrides,
      ...(extras === noExtras ? {} : { extras }),
      ...(file === null ? {} : { file: { collectionId: file.collectionId, path: file.path, revision: file.revision } }),
      view,
      dirty,
      callId,
      ...(origin === null ? {} : { origin }),
    }));
    const active = kept.findIndex((tab) => tab.id === state.activeId);
    const text = JSON.stringify({ version: 1, active, orientation, shares, hashPane, comments, about, tabs });
    if (text.length <= MAX_LENGTH || kept.length === 0) return text;
    const weight = (tab: (typeof kept)[number]) => tab.text.length + examplesLength(tab) + (tab.dirty ? 0 : MAX_LENGTH);
    const longest = kept.reduce((a, b) => (weight(b) > weight(a) ? b : a));
    kept = kept.filter((tab) => tab !== longest);
  }
}

function examplesLength({ extras }: Pick<RequestState['tabs'][number], 'extras'>): number {
  return extras.examples.reduce((sum, { body }) => sum + body.length, 0);
}

/** Reads what `writeWorkspace` wrote; null for any other text. A single tab that is not understood is left out. */
export function readWorkspace(text: string): SavedWorkspace | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = SavedWorkspace.safeParse(value);
  if (!parsed.success) return null;
  const tabs = parsed.data.tabs.flatMap((tab) => {
    const one = SavedTab.safeParse(tab);
    return one.success ? [one.data] : [];
  });
  return { ...parsed.data, tabs };
}
