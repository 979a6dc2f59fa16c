import { describe, expect, it } from 'vitest';
import { placeOf, successorOf, type FocusTree } from './focus-place.ts';

/** An element of a page that is only a tree: capital letters are regions, `#` begins a control, all else are boxes. */
interface Node {
  readonly name: string;
  readonly children: Node[];
  parent: Node | null;
  drawn: boolean;
  disabled: boolean;
}

function node(name: string, ...children: Node[]): Node {
  const made: Node = { name, children, parent: null, drawn: true, disabled: false };
  for (const child of children) child.parent = made;
  return made;
}

const inside = (box: Node): Node[] => box.children.flatMap((child) => [child, ...inside(child)]);
const isControl = ({ name, disabled }: Node) => name.startsWith('#') && !disabled;

function pageOf(root: Node) {
  const tree: FocusTree<Node> = {
    parent: ({ parent }) => parent,
    children: ({ children }) => children,
    controls: (box) => inside(box).filter(isControl),
    isControl,
    isRegion: ({ name }) => /^[A-Z]/.test(name),
    isDrawn(one) {
      for (let at = one; ; at = at.parent) {
        if (!at.drawn) return false;
        if (at.parent === null) return at === root;
      }
    },
    nameOf: ({ name }) => name,
  };
  const find = (name: string): Node => {
    const found = [root, ...inside(root)].find((one) => one.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  return {
    find,
    /** Returns who gets the focus if it was at `name` and then `happens` does. */
    after(name: string, happens: () => void) {
      const place = placeOf(tree, find(name));
      happens();
      return successorOf(tree, place)?.name ?? null;
    },
    remove(name: string) {
      const gone = find(name);
      gone.parent?.children.splice(gone.parent.children.indexOf(gone), 1);
      gone.parent = null;
    },
    put(name: string, at: number, added: Node) {
      const box = find(name);
      box.children.splice(at, 0, added);
      added.parent = box;
    },
  };
}

const rows = () =>
  pageOf(
    node(
      'page',
      node('Rail', node('#games')),
      node(
        'Main',
        node('head', node('#new')),
        node('list', node('row 1', node('#one')), node('row 2', node('#two')), node('row 3', node('#three'))),
      ),
    ),
  );

describe('the successor of what had the focus', () => {
  it('is the next row of its list, of the last row the one before, of the only row the pane', () => {
    const page = rows();
    expect(page.after('#two', () => page.remove('row 2'))).toBe('#three');
    expect(page.after('#three', () => page.remove('row 3'))).toBe('#one');
    expect(page.after('#one', () => page.remove('row 1'))).toBe('Main');
  });

  it('is what took its place: Cancel where Send was', () => {
    const page = pageOf(node('page', node('Main', node('bar', node('#tab'), node('#send'), node('#more')))));
    const sent = () => {
      page.remove('#send');
      page.put('bar', 1, node('#cancel'));
    };
    expect(page.after('#send', sent)).toBe('#cancel');
  });

  it('is the same control if it was drawn again elsewhere in its pane, and no other of its name', () => {
    const page = pageOf(node('page', node('Main', node('first', node('#form')), node('second', node('#form')))));
    expect(
      page.after('#form', () => {
        page.remove('first');
        page.put('Main', 1, node('third', node('#new'), node('#form')));
      }),
    ).toBe('#form');
    const removed = pageOf(
      node('page', node('Main', node('list', node('row', node('#remove')), node('#next')), node('#remove'))),
    );
    expect(removed.after('#remove', () => removed.remove('row'))).toBe('#next');
  });

  it('is a neighbour of what is hidden or disabled, never a hidden or disabled one', () => {
    const page = rows();
    expect(page.after('#two', () => (page.find('#two').disabled = true))).toBe('#three');
    expect(page.after('#three', () => (page.find('list').drawn = false))).toBe('Main');
  });

  it('is the pane beside, if the pane itself is gone', () => {
    const closed = rows();
    expect(closed.after('#games', () => closed.remove('Rail'))).toBe('Main');
  });

  it('is the row that it was in, if that takes the focus itself', () => {
    const page = pageOf(node('page', node('Main', node('#row', node('#menu')))));
    expect(page.after('#menu', () => page.remove('#menu'))).toBe('#row');
  });

  it('is unknown if all around it is gone', () => {
    const page = pageOf(node('page'));
    const dialog = pageOf(node('Dialog', node('#ok')));
    expect(dialog.after('#ok', () => (dialog.find('Dialog').drawn = false))).toBeNull();
    expect(page.after('page', () => undefined)).toBeNull();
  });
});
