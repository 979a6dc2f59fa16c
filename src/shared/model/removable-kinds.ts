/** Kinds of kept data that the user can remove; the others have a limit or are in use. */
export const removableKinds = ['evidence', 'setAside', 'removedFiles'] as const;
