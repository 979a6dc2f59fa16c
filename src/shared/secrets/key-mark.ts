/** Stands for a private key in what the history keeps of a request that held one. */
export const keyMark = '[private key]';
