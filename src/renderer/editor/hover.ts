import type { Explained } from './spec-help.ts';
import type { editor } from 'monaco-editor/editor';
import { withNames } from '#shared/json/display-order.ts';
import type { Monaco } from './load.ts';

const PAUSE_MS = 300;

/**
 * Shows what is known about the position under the pointer, or at the cursor by Ctrl+Shift+Space. Monaco's own hovers write HTML
 * into the page, which the page's Trusted Types refuse; this one is made of text alone.
 */
export function attachHover(
  monaco: Monaco,
  view: editor.IStandaloneCodeEditor,
  explain: (model: editor.ITextModel, offset: number) => Explained | null,
  classNames: { readonly card: string; readonly title: string },
): { dispose(): void } {
  // Monaco sets the outer element's width itself.
  const node = document.createElement('div');
  const card = document.createElement('div');
  card.className = classNames.card;
  card.setAttribute('role', 'status');
  node.append(card);
  let offset: number | null = null;
  let timer = 0;

  const widget: editor.IContentWidget = {
    allowEditorOverflow: true,
    getId: () => 'croupier.hover',
    getDomNode: () => node,
    getPosition() {
      const position = offset === null ? null : (view.getModel()?.getPositionAt(offset) ?? null);
      const { BELOW, ABOVE } = monaco.editor.ContentWidgetPositionPreference;
      return position === null ? null : { position, preference: [BELOW, ABOVE] };
    },
  };
  view.addContentWidget(widget);

  function show(at: number | null): void {
    const lines = at === null ? null : linesAt(at);
    offset = lines === null ? null : lines.offset;
    card.replaceChildren(
      ...(lines?.texts ?? []).map((text, index) => {
        const line = document.createElement('p');
        if (index === 0) line.className = classNames.title;
        line.textContent = withNames(text);
        return line;
      }),
    );
    view.layoutContentWidget(widget);
  }

  function linesAt(at: number): Explained | null {
    const model = view.getModel();
    return model === null ? null : explain(model, at);
  }

  function hide(): void {
    clearTimeout(timer);
    if (offset !== null) show(null);
  }

  const listeners = [
    view.onMouseMove(({ target }) => {
      clearTimeout(timer);
      const { position } = target;
      if (target.type !== monaco.editor.MouseTargetType.CONTENT_TEXT || position === null) return hide();
      const at = view.getModel()?.getOffsetAt(position) ?? null;
      timer = window.setTimeout(() => show(at), PAUSE_MS);
    }),
    view.onMouseLeave(hide),
    view.onDidChangeModelContent(hide),
    view.onDidScrollChange(hide),
    view.onDidBlurEditorWidget(hide),
    view.onKeyDown((event) => {
      if (event.keyCode === monaco.KeyCode.Escape) hide();
    }),
    view.addAction({
      id: 'croupier.explain',
      label: 'Details at the cursor',
      keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.Space],
      contextMenuGroupId: 'navigation',
      run() {
        const position = view.getPosition();
        show(position === null ? null : (view.getModel()?.getOffsetAt(position) ?? null));
      },
    }),
  ];
  return {
    dispose() {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
      view.removeContentWidget(widget);
    },
  };
}
