/** Stands for a private key in what the history keeps of a call that held one. */
export const keyMark = '[private key]';

/** The finding which says that a response held a private key. */
export const keyInResponseRule = 'answer.key';
