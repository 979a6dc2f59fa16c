/** Replaces a private key in the history's record of a call that held one. */
export const keyMark = '[private key]';

/** The rule of the finding that a response held a private key. */
export const keyInResponseRule = 'answer.key';
