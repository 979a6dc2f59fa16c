/** Widths at which one pane is shown at a time. */
export const narrowQuery = '(max-width: 900px)';
