import { longestPiece, longestTab } from '../model/limits.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';

const WorkspaceId = z.string().check(z.regex(/^[0-9a-f]{24}$/));

const PageId = filledTextUpTo(64);

const TabId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/));

const Place = wholeNumber(0, longestTab);

/** What the list of a workspace says of each tab; the page writes more into it. `plain`: nothing was typed, sent or opened in it. */
export const WorkspaceList = z.object({
  version: z.literal(1),
  tabs: z.array(z.object({ id: TabId, unsaved: z.boolean(), plain: z.boolean() })),
});
export type WorkspaceList = z.infer<typeof WorkspaceList>;

const inWorkspace = { page: PageId, id: WorkspaceId };

/** Open tabs with everything typed: a workspace for each page, which that page alone writes (`docs/decisions/0034-a-workspace-each.md`). */
export const workspaceInputs = {
  /**
   * Gives a page its workspace: the one it had (`mine`: which, and as which page), or else the newest that no living page has; with `begin`, an empty
   * one instead. `line`: what `app.joined` named; null in a host with a single page, where each new page takes the place of the one before.
   */
  'workspaces.open': z.strictObject({
    page: PageId,
    line: z.nullable(filledTextUpTo(64)),
    mine: z.nullable(z.strictObject(inWorkspace)),
    begin: z.boolean(),
  }),
  /** A part of a tab's text, from a position on. */
  'workspaces.read': z.strictObject({
    ...inWorkspace,
    tab: TabId,
    from: Place,
  }),
  /**
   * Fails with `conflict` where the page does not have the workspace, as all below do. Replaces what stands between two positions of a tab's text. `number` counts a page's writes of a tab; `base` is that of the write which this one
   * changes, null for an empty text. `rest`: so many characters follow in further calls, and nothing is on the disk before the last of them.
   */
  'workspaces.write': z.strictObject({
    ...inWorkspace,
    tab: TabId,
    number: z.int().check(z.gte(1)),
    base: z.nullable(z.int()),
    from: Place,
    to: Place,
    text: textUpTo(longestPiece),
    rest: Place,
  }),
  /** Writes the list and removes the texts of tabs that were closed. */
  'workspaces.list': z.strictObject({
    ...inWorkspace,
    number: z.int().check(z.gte(1)),
    text: textUpTo(longestPiece),
    closed: z.array(TabId).check(z.maxLength(10_000)),
  }),
  /** Gives the page one more workspace, which no page has open, to read it. */
  'workspaces.take': z.strictObject(inWorkspace),
  /** Removes a workspace that the page has: its tabs are elsewhere now. */
  'workspaces.drop': z.strictObject(inWorkspace),
};
