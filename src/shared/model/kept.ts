/** What a person can remove of all that is kept beside the calls: the rest has a limit, or is in use. */
export const removableKinds = ['evidence', 'setAside', 'removedFiles'] as const;
