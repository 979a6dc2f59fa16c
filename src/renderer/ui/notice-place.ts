/** In CSS pixels of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Position and size of the notices as a style, in CSS pixels. */
export interface NoticePlace {
  readonly left?: number;
  readonly right?: number;
  readonly top?: number;
  readonly bottom?: number;
  readonly width: number;
  readonly maxHeight: number;
}

const [usualWidth, leastWidth, edge, gap] = [420, 220, 16, 8];
/** Height of the status bar, with some space. */
const foot = 38;

/**
 * Places the notices beside what the host draws over the page, which would cover them; a notice does not hide a game. If a side has
 * room, they stand at the foot of the page, else above or below the game, in the larger strip.
 */
export function noticePlace(page: { readonly width: number; readonly height: number }, views: readonly Box[]): NoticePlace {
  const widest = Math.min(usualWidth, page.width - 2 * edge);
  const usual = { right: edge, bottom: foot, width: widest, maxHeight: page.height - foot - gap };
  if (views.length === 0) return usual;
  const right = page.width - edge - gap - Math.max(...views.map((view) => view.right));
  if (right >= leastWidth) return { ...usual, width: Math.min(widest, right) };
  const left = Math.min(...views.map((view) => view.left)) - gap - edge;
  if (left >= leastWidth) return { left: edge, bottom: foot, width: Math.min(widest, left), maxHeight: usual.maxHeight };
  const above = Math.max(0, Math.min(...views.map((view) => view.top)) - 2 * gap);
  const below = Math.max(0, page.height - Math.max(...views.map((view) => view.bottom)) - 2 * gap);
  return above >= below
    ? { right: edge, top: gap, width: widest, maxHeight: above }
    : { right: edge, bottom: gap, width: widest, maxHeight: below };
}
