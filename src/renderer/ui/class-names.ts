/** Joins the class names that are set; a CSS module's names are possibly undefined by type. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  // Without an array between: it runs for every cell of every frame that scrolls.
  let joined = '';
  for (const name of names) if (name) joined = joined === '' ? name : `${joined} ${name}`;
  return joined;
}
