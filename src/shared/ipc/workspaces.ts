import { longestPiece, longestTab } from '../model/limits.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';

const WorkspaceId = z.string().check(z.regex(/^[0-9a-f]{24}$/));

const PageId = filledTextUpTo(64);

const TabId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/));

const Place = wholeNumber(0, longestTab);

/** The known fields of a workspace's list of tabs; the page adds more. `plain`: nothing was typed, sent or opened in the tab. */
export const WorkspaceList = z.object({
  version: z.literal(1),
  tabs: z.array(z.object({ id: TabId, unsaved: z.boolean(), plain: z.boolean() })),
});
export type WorkspaceList = z.infer<typeof WorkspaceList>;

const inWorkspace = { page: PageId, id: WorkspaceId };

/** Open tabs with everything typed: a workspace for each page, which that page alone writes (`docs/decisions/0034-a-workspace-each.md`). */
export const workspaceInputs = {
  /**
   * Gives a page its workspace: the one it had (`mine`: which, and as which page), otherwise the newest that no open page has, or with `begin` an
   * empty one. `line`: the name from `app.joined`; null in a host with a single page, where each new page replaces the one before.
   * `waiting`: those that other pages of the browser have, also pages that no line joins to this host yet. Nobody else gets them.
   */
  'workspaces.open': z.strictObject({
    page: PageId,
    line: z.nullable(filledTextUpTo(64)),
    mine: z.nullable(z.strictObject(inWorkspace)),
    begin: z.boolean(),
    waiting: z._default(z.array(WorkspaceId).check(z.maxLength(1_000)), []),
  }),
  /** A part of a tab's text, from a position on. */
  'workspaces.read': z.strictObject({
    ...inWorkspace,
    tab: TabId,
    from: Place,
  }),
  /**
   * Replaces a range of a tab's text. `number` counts a page's writes of a tab; `base` is the number of the write that this one changes, null for
   * an empty text. `rest`: number of characters that follow in further calls; the disk changes only with the last of them. Fails with `conflict`
   * if the page does not have the workspace, as all calls below do.
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
  /** Gives the page another workspace to read, which no page has open. */
  'workspaces.take': z.strictObject(inWorkspace),
  /** Removes a workspace of the page, whose tabs have moved. */
  'workspaces.drop': z.strictObject(inWorkspace),
};
