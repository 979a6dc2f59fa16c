/** An item that a chord can choose. */
export interface MenuLine {
  readonly chord: string | null;
  readonly submenu: { readonly items: readonly MenuLine[] } | null;
  click(): void;
}

let shown: readonly MenuLine[] = [];

/** Sets the menu whose chords count. */
export function showApplicationMenu(items: readonly MenuLine[]): void {
  shown = items;
}

/** Chooses the item with this chord. */
export function chooseByKeys(chord: string, items = shown): void {
  for (const item of items) {
    if (item.chord === chord) return item.click();
    if (item.submenu !== null) chooseByKeys(chord, item.submenu.items);
  }
}
