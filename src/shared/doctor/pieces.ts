/** Work that pauses after each piece, of a few milliseconds: its caller decides when to go on. */
export type Pieces<Made> = Generator<undefined, Made>;

/** Goes on to the end without a pause. */
export function finish<Made>(work: Pieces<Made>): Made {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
  }
}
