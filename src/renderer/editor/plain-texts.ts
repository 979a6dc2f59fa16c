/** A text that something of the page draws, for reading it in a plain field. */
export interface PlainText {
  readonly title: string;
  readonly text: string;
}

const readers = new WeakMap<Element, () => PlainText>();
const mark = 'data-plain-text';

/** Offers the text of an element to `plainTextAt`; returns the function that ends this. `read` is called when somebody asks. */
export function offerPlainText(element: Element, read: () => PlainText): () => void {
  readers.set(element, read);
  element.setAttribute(mark, '');
  return () => {
    readers.delete(element);
    element.removeAttribute(mark);
  };
}

/** Returns the text around an element, or else the first one of its pane; null for none. */
export function plainTextAt(element: Element): PlainText | null {
  const around = element.closest(`[${mark}]`);
  const inPane = [...(element.closest('[data-pane]')?.querySelectorAll(`[${mark}]`) ?? [])];
  const found = around ?? inPane.find((one) => one.checkVisibility()) ?? null;
  return found === null ? null : (readers.get(found)?.() ?? null);
}

/** A difference between two texts, by the lines that differ, from 1 on; the end is exclusive. */
export interface LineDifference {
  readonly left: { readonly from: number; readonly to: number };
  readonly right: { readonly from: number; readonly to: number };
}

/** Returns a comparison as one text: the lines that differ, and both texts behind them. `differences` null: not known yet. */
export function comparisonText(left: PlainText, right: PlainText, differences: readonly LineDifference[] | null): string {
  const [leftLines, rightLines] = [left.text.split(/\r\n|\r|\n/), right.text.split(/\r\n|\r|\n/)];
  const part = ({ title }: PlainText, lines: readonly string[], { from, to }: LineDifference['left']) =>
    from === to
      ? `${title}: nothing, before line ${from}`
      : `${title}, ${to - from === 1 ? `line ${from}` : `lines ${from} to ${to - 1}`}:\n${lines.slice(from - 1, to - 1).join('\n')}`;
  const found =
    differences === null
      ? ['Still comparing.']
      : differences.length === 0
        ? ['No differences.']
        : differences.map((one, index) =>
            [
              `Difference ${index + 1} of ${differences.length}`,
              part(left, leftLines, one.left),
              part(right, rightLines, one.right),
            ].join('\n'),
          );
  return [...found, `${left.title}, all of it:\n${left.text}`, `${right.title}, all of it:\n${right.text}`].join('\n\n');
}
