/** Subject and advice of sentences about a support pack that is too large to open. */
export const packSubject = 'The support pack';
export const packAdvice = 'Ask for a pack of fewer calls.';
