import { z } from './schema.ts';

/** States of a launch, by its rules or by a person. `unfinished`: too little happened to judge it. */
export const LaunchState = z.enum(['passed', 'failed', 'to check', 'unfinished']);
export type LaunchState = z.infer<typeof LaunchState>;
