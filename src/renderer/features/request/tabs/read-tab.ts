import { CollectionRequest } from '#shared/collections/model.ts';
import { OperationName, Overrides } from '#shared/model/draft.ts';
import { otherwise, z } from '#shared/model/schema.ts';
import { noExtras } from './tab-file.ts';
import { parsed, plainTab, type Before, type SavedTab } from '../kept/workspace-text.ts';

// Loaded if a page has tabs to read: a start without any does not need the schemas.

const tabSchema = z.object({
  operation: OperationName,
  form: z.string(),
  text: z.string(),
  overrides: Overrides,
  extras: otherwise(z.pick(CollectionRequest, { tags: true, take: true, expect: true, notes: true, examples: true }), noExtras),
  file: otherwise(z.nullable(z.object({ collectionId: z.string(), path: z.string(), revision: z.string() })), null),
  view: otherwise(z.enum(['form', 'data', 'checks', 'envelope', 'examples']), 'form'),
  dirty: z.boolean(),
  callId: z.nullable(z.int()),
  origin: otherwise(z.nullable(z.object({ callId: z.int(), environmentId: z.string(), environmentName: z.string() })), null),
});

/** Reads the text of `writeTab`; null for a text that this version cannot read. */
export function readTab(text: string): { readonly tab: SavedTab; readonly before: Before } | null {
  const raw = parsed(text);
  const found = tabSchema.safeParse(raw);
  if (!found.success) return null;
  const tab = found.data;
  return { tab, before: { raw, known: plainTab(tab) } };
}
