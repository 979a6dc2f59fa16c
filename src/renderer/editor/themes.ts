import type { editor } from 'monaco-editor/editor';

/** The names in Monaco of the themes that are made from our tokens. */
export const themeNames = {
  light: 'croupier-light',
  dark: 'croupier-dark',
  'light-contrast': 'croupier-light-contrast',
  'dark-contrast': 'croupier-dark-contrast',
} as const;
export type ThemeKind = keyof typeof themeNames;
export const themeKinds = Object.keys(themeNames) as readonly ThemeKind[];

/** The themes of Monaco that they inherit from. Those of high contrast draw a border where others have only a ground. */
const bases = { light: 'vs', dark: 'vs-dark', 'light-contrast': 'hc-light', 'dark-contrast': 'hc-black' } as const;

/** Creates one of Monaco's themes from our tokens; `token` returns the value of a custom property. */
export function themeFromTokens(kind: ThemeKind, token: (name: string) => string): editor.IStandaloneThemeData {
  const rule = (name: string, from: string): editor.ITokenThemeRule[] => {
    const color = hex(token(from));
    return color === null ? [] : [{ token: name, foreground: color.slice(1) }];
  };
  const colors: Record<string, string> = {};
  const color = (name: string, from: string, alpha = '') => {
    const value = hex(token(from));
    if (value !== null) colors[name] = value + alpha;
  };

  color('editor.background', '--surface');
  color('editor.foreground', '--ink');
  color('editorGutter.background', '--surface');
  color('editorLineNumber.foreground', '--ink-3');
  color('editorLineNumber.activeForeground', '--ink');
  color('editorCursor.foreground', '--accent');
  const strong = kind === 'light-contrast' || kind === 'dark-contrast';
  if (strong) {
    color('contrastBorder', '--edge');
    color('contrastActiveBorder', '--focus');
    // A full colour: those of high contrast write the selected text in another one, too.
    color('editor.selectionBackground', '--accent');
    color('editor.selectionForeground', '--ink-on-accent');
  } else color('editor.selectionBackground', '--accent', '40');
  color('editor.inactiveSelectionBackground', '--accent', strong ? '40' : '24');
  color('editor.selectionHighlightBackground', '--accent', '1f');
  color('editor.wordHighlightBackground', '--accent', '1a');
  color('editor.findMatchBackground', '--warn', '66');
  color('editor.findMatchHighlightBackground', '--warn', '33');
  color('editor.lineHighlightBackground', '--raised');
  colors['editor.lineHighlightBorder'] = '#00000000';
  color('editorIndentGuide.background1', '--edge');
  color('editorIndentGuide.activeBackground1', '--edge-strong');
  color('editorBracketMatch.background', '--accent', '26');
  color('editorBracketMatch.border', '--accent', '80');
  for (let level = 1; level <= 6; level += 1) color(`editorBracketHighlight.foreground${level}`, '--ink');
  color('editorBracketHighlight.unexpectedBracket.foreground', '--bad');
  color('editorWhitespace.foreground', '--ink-3', '66');
  color('editorError.foreground', '--bad');
  color('editorWarning.foreground', '--warn');
  color('editorInfo.foreground', '--note');
  color('editorOverviewRuler.errorForeground', '--bad');
  color('editorOverviewRuler.warningForeground', '--warn');
  colors['editorOverviewRuler.border'] = '#00000000';
  // The strongest that leaves the code's colours readable on them.
  const light = bases[kind] === 'vs' || bases[kind] === 'hc-light';
  const changed = { vs: '24', 'hc-light': '16', 'vs-dark': '3d', 'hc-black': '3d' }[bases[kind]];
  color('diffEditor.insertedTextBackground', '--good', changed);
  color('diffEditor.removedTextBackground', '--bad', changed);
  color('diffEditor.insertedLineBackground', '--good', '0a');
  color('diffEditor.removedLineBackground', '--bad', '0a');
  color('diffEditorGutter.insertedLineBackground', '--good', '14');
  color('diffEditorGutter.removedLineBackground', '--bad', '14');
  color('diffEditor.border', '--edge');
  color('diffEditor.diagonalFill', '--edge');
  color('diffEditor.unchangedRegionBackground', '--raised');
  color('diffEditor.unchangedRegionForeground', '--ink-2');
  color('diffEditor.unchangedCodeBackground', '--raised');
  color('editorWidget.background', '--surface');
  color('editorWidget.foreground', '--ink');
  color('editorWidget.border', '--edge-strong');
  color('editorHoverWidget.background', '--surface');
  color('editorHoverWidget.foreground', '--ink');
  color('editorHoverWidget.border', '--edge-strong');
  color('editorHoverWidget.statusBarBackground', '--raised');
  color('editorSuggestWidget.background', '--surface');
  color('editorSuggestWidget.foreground', '--ink');
  color('editorSuggestWidget.border', '--edge-strong');
  color('editorSuggestWidget.selectedBackground', '--selected');
  color('editorSuggestWidget.selectedForeground', '--ink');
  color('editorSuggestWidget.highlightForeground', '--accent');
  color('editorSuggestWidget.focusHighlightForeground', '--accent');
  color('editorMarkerNavigation.background', '--surface');
  color('input.background', '--surface');
  color('input.foreground', '--ink');
  color('input.border', '--edge-strong');
  color('input.placeholderForeground', '--ink-3');
  color('inputOption.activeBackground', '--selected');
  color('inputOption.activeForeground', '--accent');
  color('focusBorder', '--focus');
  color('list.hoverBackground', '--hover');
  color('list.focusBackground', '--selected');
  color('list.focusForeground', '--ink');
  color('list.activeSelectionBackground', '--selected');
  color('list.activeSelectionForeground', '--ink');
  color('quickInput.background', '--surface');
  color('quickInput.foreground', '--ink');
  color('scrollbarSlider.background', '--ink-3', '33');
  color('scrollbarSlider.hoverBackground', '--ink-3', '55');
  color('scrollbarSlider.activeBackground', '--ink-3', '77');
  colors['scrollbar.shadow'] = '#00000000';
  colors['widget.shadow'] = light ? '#1020181a' : '#00000073';

  return {
    base: bases[kind],
    inherit: true,
    rules: [
      ...rule('', '--ink'),
      ...rule('string.key.json', '--code-key'),
      ...rule('string.value.json', '--code-string'),
      ...rule('number.json', '--code-number'),
      ...rule('keyword.json', '--code-literal'),
      ...rule('delimiter', '--code-mark'),
    ],
    colors,
  };
}

/** Reads the tokens of one theme from the page's own style sheet, whichever theme is on. */
export function tokensOf(kind: ThemeKind, page: Document): (name: string) => string {
  const probe = page.createElement('div');
  probe.dataset['theme'] = kind;
  probe.hidden = true;
  page.body.append(probe);
  const style = page.defaultView?.getComputedStyle(probe);
  const read = new Map<string, string>();
  const names =
    '--surface --raised --selected --hover --edge --edge-strong --ink --ink-2 --ink-3 --ink-on-accent --accent --focus --good --bad --warn --note ' +
    '--code-key --code-string --code-number --code-literal --code-mark';
  for (const name of names.split(' ')) read.set(name, style?.getPropertyValue(name).trim() ?? '');
  probe.remove();
  return (name) => read.get(name) ?? '';
}

/** Returns the name in Monaco of the theme that fits the page; one of Monaco's own while the system forces its colours. */
export function shownTheme(page: Document): string {
  const drawn = page.documentElement.dataset['theme'];
  const kind = themeKinds.find((one) => one === drawn) ?? 'light';
  return page.defaultView?.matchMedia('(forced-colors: active)').matches === true ? bases[kind] : themeNames[kind];
}

function hex(value: string): string | null {
  if (/^#[0-9a-f]{6}$/i.test(value)) return value;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(value);
  return short === null
    ? null
    : `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`;
}
