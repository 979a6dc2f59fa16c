import { filledTextUpTo, z } from '../../model/schema.ts';

const TabId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/));

const WorkspaceId = z.string().check(z.regex(/^[0-9a-f]{24}$/));

/** The text of a tab, as JSON; null where it is long, and read in pieces. */
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

export const workspaceOutputs = {
  'workspaces.open': OpenedWorkspace,
  'workspaces.read': z.strictObject({
    text: z.string(),
    next: z.nullable(z.int()),
  }),
  /** `again`: the base is not what is on the disk; nothing was written, and the whole text is wanted. `masked`: it held a private key. */
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
  /** The first that a listener hears, and it alone: the name of its line. What a page has open is free once its line is gone. */
  'app.joined': z.strictObject({ line: filledTextUpTo(64) }),
};
