/** A public address that in a test leads to its own server, and no farther. */
export const publicAddress = '93.184.215.14';
