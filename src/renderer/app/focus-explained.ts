import { tabKeys } from '#renderer/editor/screen-reader.ts';

/** Words about the element that has the focus. */
export interface Explained {
  readonly title: string;
  /** Its kind, state and description. */
  readonly facts: readonly string[];
  /** Keys with what they do there. */
  readonly keys: readonly (readonly [keys: string, does: string])[];
}

interface Kind {
  readonly name: string;
  readonly keys: Explained['keys'];
}

const press = [['Enter or Space', 'Presses it']] as const;
const kinds: Readonly<Record<string, Kind>> = {
  a: { name: 'Link', keys: [['Enter', 'Follows it']] },
  button: { name: 'Button', keys: press },
  checkbox: { name: 'Checkbox', keys: [['Space', 'Ticks or unticks it']] },
  combobox: { name: 'Choice', keys: [['Arrow keys', 'Go to another value']] },
  input: { name: 'Text field', keys: [] },
  menuitem: {
    name: 'Menu item',
    keys: [
      ['Arrow keys', 'Go to another item'],
      ['Enter', 'Chooses it'],
      ['Escape', 'Closes the menu'],
    ],
  },
  option: {
    name: 'List item',
    keys: [
      ['Arrow keys', 'Go to another value'],
      ['Enter', 'Chooses it'],
    ],
  },
  radio: { name: 'Option', keys: [['Arrow keys', 'Choose another value']] },
  select: { name: 'Choice', keys: [['Arrow keys', 'Go to another value']] },
  separator: {
    name: 'Splitter',
    keys: [
      ['Arrow keys', 'Move it'],
      ['Home or End', 'Moves it to an end'],
    ],
  },
  tab: { name: 'Tab', keys: [['Left or Right', 'Goes to another tab']] },
  textarea: { name: 'Multi-line text field', keys: [] },
  treeitem: {
    name: 'Tree row',
    keys: [
      ['Up or Down', 'Goes to another row'],
      ['Right or Left', 'Expands or collapses it'],
      ['Enter', 'Opens it'],
    ],
  },
};

const states = [
  ['aria-expanded', 'true', 'Open'],
  ['aria-expanded', 'false', 'Closed'],
  ['aria-selected', 'true', 'Selected'],
  ['aria-pressed', 'true', 'Pressed'],
  ['aria-checked', 'true', 'Chosen'],
  ['aria-checked', 'false', 'Not chosen'],
  ['aria-invalid', 'true', 'Has an error'],
] as const;

/** Explains an element: its name, its kind, its state, its description and the keys that others do not know. */
export function explainElement(element: Element, apple: boolean): Explained {
  const editor = element.closest('.monaco-editor');
  const kind = editor === null ? kindOf(element) : editorKind(editor, apple);
  const described = element.getAttribute('aria-describedby')?.split(/\s+/) ?? [];
  const facts = [
    kind?.name,
    ...states.filter(([name, value]) => element.getAttribute(name) === value).map(([, , words]) => words),
    element.getAttribute('aria-description'),
    ...described.map((id) => spokenText(element.ownerDocument.getElementById(id))),
  ].filter((fact) => fact !== undefined && fact !== null && fact.trim() !== '') as string[];
  return { title: nameOf(element), facts, keys: kind?.keys ?? [] };
}

function kindOf(element: Element): Kind | undefined {
  return kinds[element.getAttribute('role') ?? ''] ?? kinds[element.tagName.toLowerCase()];
}

function editorKind(editor: Element, apple: boolean): Kind {
  const readOnly = editor.querySelector('[aria-autocomplete="none"]') !== null;
  const find: Explained['keys'] = [[apple ? 'Command+F' : 'Ctrl+F', 'Searches the text']];
  return readOnly
    ? { name: 'Editor, read-only', keys: [['Tab', 'Moves on'], ...find] }
    : {
        name: 'Editor',
        keys: [['Tab', 'Indents'], [tabKeys(apple), 'Switches Tab between moving on and indenting'], ...find],
      };
}

/** Returns the accessible name of an element, as far as its attributes, its labels and its text give one. */
function nameOf(element: Element): string {
  const page = element.ownerDocument;
  const labelled = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).map((id) => spokenText(page.getElementById(id)));
  const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? [...(element.labels ?? [])] : [];
  const names = [
    labelled.join(' '),
    element.getAttribute('aria-label') ?? '',
    labels.map((label) => spokenText(label)).join(' '),
    element === page.body ? '' : spokenText(element).slice(0, 200),
    element.getAttribute('title') ?? '',
  ];
  return names.map((name) => name.trim()).find((name) => name !== '') ?? 'The focused element has no name';
}

/** Returns the text of an element without the parts that only eyes get, such as the keys on a button; its parts are apart. */
function spokenText(element: Element | null): string {
  if (element === null) return '';
  const parts: string[] = [];
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const hidden = text.parentElement?.closest('[aria-hidden="true"]') ?? null;
    if (hidden === null || !element.contains(hidden)) parts.push(text.textContent?.trim() ?? '');
  }
  return parts.filter((part) => part !== '').join(' ');
}
