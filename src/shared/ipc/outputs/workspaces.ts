import { filledTextUpTo, z } from '../../model/schema.ts';

const TabId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/));

const WorkspaceId = z.string().check(z.regex(/^[0-9a-f]{24}$/));

/** The text of a tab, as JSON; null if it is long and must be read in pieces. */
const KeptTab = z.strictObject({
  id: TabId,
  characters: z.int(),
  text: z.nullable(z.string()),
});

/** A workspace that no page has open. */
const LeftWorkspace = z.strictObject({
  id: WorkspaceId,
  tabs: z.int(),
  unsaved: z.int(),
});
export type LeftWorkspace = z.infer<typeof LeftWorkspace>;

const OpenedWorkspace = z.strictObject({
  id: WorkspaceId,
  /** JSON text of the list; null where there is none. */
  list: z.nullable(z.string()),
  /** Tabs on the disk, those of the list and any others. */
  tabs: z.array(KeptTab),
  /** Other workspaces that no page has open. */
  left: z.array(LeftWorkspace),
  /** Files and folders with open tabs in the format of another version. Croupier does not change them. */
  newer: z.array(z.string()),
  /** Says why the page has no workspace: the home cannot be written. The page still gets the tabs it can read. */
  problem: z.nullable(z.string()),
});
export type OpenedWorkspace = z.infer<typeof OpenedWorkspace>;

export const workspaceOutputs = {
  'workspaces.open': OpenedWorkspace,
  'workspaces.read': z.strictObject({
    text: z.string(),
    next: z.nullable(z.int()),
  }),
  /** `again`: the base differs from the disk, so nothing was written; send the whole text. `masked`: it held a private key. */
  'workspaces.write': z.strictObject({
    again: z.boolean(),
    masked: z.boolean(),
  }),
  'workspaces.list': z.strictObject({}),
  'workspaces.take': z.omit(OpenedWorkspace, {
    left: true,
    newer: true,
    problem: true,
  }),
  'workspaces.drop': z.strictObject({}),
};

export const workspaceEvents = {
  /** The first event of each listener, sent to it alone: the name of its line. When the line ends, the page's workspace is free. */
  'app.joined': z.strictObject({ line: filledTextUpTo(64) }),
  /** A page has the workspace, or it was removed: no other page can take it. */
  'workspaces.taken': z.strictObject({ id: WorkspaceId }),
};
