/** Answers to the questions of the focus rule about elements: those of the page, or of a test. */
export interface FocusTree<T> {
  readonly parent: (element: T) => T | null;
  readonly children: (element: T) => readonly T[];
  /** Returns the controls in an element at which Tab stops where they are drawn, in their order, without itself. */
  readonly controls: (element: T) => readonly T[];
  /** Returns whether an element is in the page and seen. */
  readonly isDrawn: (element: T) => boolean;
  /** Returns whether an element is such a control. */
  readonly isControl: (element: T) => boolean;
  /** Returns whether an element is a part of the page with a name, which can have the focus as a whole: a pane, a dialog. */
  readonly isRegion: (element: T) => boolean;
  /** Names a control by all that a user tells it from others by. */
  readonly nameOf: (element: T) => string;
}

/** The place of the focus: the element and all that it is in, innermost first, each with its position in its parent. */
export interface FocusPlace<T> {
  readonly path: readonly { readonly element: T; readonly index: number }[];
  /** Name of the element, and the controls of this name that there were. */
  readonly name: string;
  readonly alike: ReadonlySet<T>;
}

/** Reads where an element is, before it goes away. */
export function placeOf<T>(tree: FocusTree<T>, element: T): FocusPlace<T> {
  const path: { element: T; index: number }[] = [];
  let outermost = element;
  for (let one: T | null = element; one !== null; one = tree.parent(one)) {
    const parent = tree.parent(one);
    path.push({ element: one, index: parent === null ? 0 : tree.children(parent).indexOf(one) });
    outermost = one;
  }
  const name = tree.nameOf(element);
  return { path, name, alike: new Set(tree.controls(outermost).filter((one) => tree.nameOf(one) === name)) };
}

/**
 * Returns the element that gets the focus in place of one that is gone, hidden or disabled: the same control if it was drawn again,
 * else the control that took its place in its row, list or form, else the nearest one there, else the pane as a whole. Null if all of
 * its surroundings are gone.
 */
export function successorOf<T>(tree: FocusTree<T>, { path, name, alike }: FocusPlace<T>): T | null {
  const region = path.find(({ element }, at) => at > 0 && tree.isDrawn(element) && tree.isRegion(element))?.element;
  if (region !== undefined) {
    const again = tree.controls(region).find((one) => !alike.has(one) && tree.nameOf(one) === name && tree.isDrawn(one));
    if (again !== undefined) return again;
  }
  for (const [at, { element }] of path.entries()) {
    const inner = path[at - 1];
    if (inner === undefined || !tree.isDrawn(element)) continue;
    if (tree.isControl(element) || tree.isRegion(element)) return element;
    const found = nearest(tree, element, inner);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the control in `box` that is nearest to the child that is or was there: behind it, else before it. */
function nearest<T>(tree: FocusTree<T>, box: T, child: { readonly element: T; readonly index: number }): T | null {
  const children = tree.children(box);
  const still = children.indexOf(child.element);
  const at = still < 0 ? child.index : still;
  for (const one of [...children.slice(at), ...children.slice(0, at).toReversed()]) {
    if (!tree.isDrawn(one)) continue;
    if (tree.isControl(one) || tree.isRegion(one)) return one;
    const first = tree.controls(one).find(tree.isDrawn);
    if (first !== undefined) return first;
  }
  return null;
}
