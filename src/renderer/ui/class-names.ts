/** Joins the class names that are set; a CSS module's names are possibly undefined by type. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
