import { call, event, filledTextUpTo, textUpTo, wholeNumber, z } from './contract.ts';

/** Longest JSON text of one tab that is kept, in UTF-16 units. */
export const longestTab = 64_000_000;
/** Longest part of such a text that one call takes or gives, in UTF-16 units: six bytes each at most, and a call takes 16 MB. */
export const longestPiece = 1_000_000;

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

/** The text of a tab, as JSON; null where it is long, and read in pieces. */
const KeptTab = z.strictObject({ id: TabId, characters: z.int(), text: z.nullable(z.string()) });

/** A workspace that no page has open. */
const LeftWorkspace = z.strictObject({ id: WorkspaceId, tabs: z.int(), unsaved: z.int() });
export type LeftWorkspace = z.infer<typeof LeftWorkspace>;

const OpenedWorkspace = z.strictObject({
  id: WorkspaceId,
  /** JSON text of the list; null where there is none. */
  list: z.nullable(z.string()),
  /** Tabs that are on the disk, those of the list and any others. */
  tabs: z.array(KeptTab),
  /** Others that no page has open. */
  left: z.array(LeftWorkspace),
  /** Files and folders that hold open tabs in a form of another version of Croupier. They stay as they are. */
  newer: z.array(z.string()),
  /** Why the page has none: the home cannot be written, and what is read of it is shown. */
  problem: z.nullable(z.string()),
});
export type OpenedWorkspace = z.infer<typeof OpenedWorkspace>;

const inWorkspace = { page: PageId, id: WorkspaceId };

/** Open tabs with everything typed: a workspace for each page, which that page alone writes (`docs/decisions/0034-a-workspace-each.md`). */
export const workspaceCalls = {
  /**
   * Gives a page its workspace: the one it had (`mine`: which, and as which page), or else the newest that no living page has; with `begin`, an empty
   * one instead. `line`: what `app.joined` named; null in a host with a single page, where each new page takes the place of the one before.
   */
  'workspaces.open': call(
    z.strictObject({
      page: PageId,
      line: z.nullable(filledTextUpTo(64)),
      mine: z.nullable(z.strictObject(inWorkspace)),
      begin: z.boolean(),
    }),
    OpenedWorkspace,
  ),
  /** A part of a tab's text, from a position on. */
  'workspaces.read': call(
    z.strictObject({ ...inWorkspace, tab: TabId, from: Place }),
    z.strictObject({ text: z.string(), next: z.nullable(z.int()) }),
  ),
  /**
   * Fails with `conflict` where the page does not have the workspace, as all below do. Replaces what stands between two positions of a tab's text. `number` counts a page's writes of a tab; `base` is that of the write which this one
   * changes, null for an empty text. `rest`: so many characters follow in further calls, and nothing is on the disk before the last of them.
   */
  'workspaces.write': call(
    z.strictObject({
      ...inWorkspace,
      tab: TabId,
      number: z.int().check(z.gte(1)),
      base: z.nullable(z.int()),
      from: Place,
      to: Place,
      text: textUpTo(longestPiece),
      rest: Place,
    }),
    /** `again`: the base is not what is on the disk; nothing was written, and the whole text is wanted. `masked`: it held a private key. */
    z.strictObject({ again: z.boolean(), masked: z.boolean() }),
  ),
  /** Writes the list and removes the texts of tabs that were closed. */
  'workspaces.list': call(
    z.strictObject({
      ...inWorkspace,
      number: z.int().check(z.gte(1)),
      text: textUpTo(longestPiece),
      closed: z.array(TabId).check(z.maxLength(10_000)),
    }),
    z.strictObject({}),
  ),
  /** Gives the page one more workspace, which no page has open, to read it. */
  'workspaces.take': call(z.strictObject(inWorkspace), z.omit(OpenedWorkspace, { left: true, newer: true, problem: true })),
  /** Removes a workspace that the page has: its tabs are elsewhere now. */
  'workspaces.drop': call(z.strictObject(inWorkspace), z.strictObject({})),
};

export const workspaceEvents = {
  /** The first that a listener hears, and it alone: the name of its line. What a page has open is free once its line is gone. */
  'app.joined': event(z.strictObject({ line: filledTextUpTo(64) })),
};
