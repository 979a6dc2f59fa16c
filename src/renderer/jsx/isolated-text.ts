import { createElement, type ReactNode } from 'react';
import { bidiParts, canReorder, withNamedControls } from '#shared/json/bidi.ts';
import { characterName } from '#shared/json/characters.ts';

/** Elements whose content is text alone. */
const textOnly = new Set(['option', 'title', 'textarea', 'style', 'script', 'text', 'tspan', 'desc']);
/** Attributes that are shown or said as a text. */
const saidAttributes = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder', 'label'];

/**
 * Draws a text so that it cannot reorder what stands around it: letters read from right to left are isolated, and a bidirectional control
 * is isolated behind its abbreviation. The characters stay, so that a copy has them.
 */
function isolated(text: string): ReactNode[] {
  return bidiParts(text).map((part, at) => {
    if (part.kind === 'plain') return part.text;
    if (part.kind === 'rightToLeft') return createElement('bdi', { key: at }, part.text);
    const title = characterName(part.text.codePointAt(0) ?? 0);
    return createElement('bdi', { key: at, dir: 'ltr', 'data-control': part.name, title }, part.text);
  });
}

/** The props of an element with every text in them isolated; the same object where nothing in them can reorder anything. */
export function isolatedProps(type: unknown, props: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const tag = typeof type === 'string' ? type : null;
  // A component of ours hands its texts on to elements; one of a library makes elements of its own.
  if (typeof type === 'function') return props;
  const changed: Record<string, unknown> = {};
  const children = tag !== null && textOnly.has(tag) ? named(props['children']) : isolatedChildren(props['children']);
  if (children !== props['children']) changed['children'] = children;
  if (tag !== null) {
    for (const name of saidAttributes) {
      const value = props[name];
      if (typeof value === 'string' && canReorder(value)) changed[name] = withNamedControls(value);
    }
  }
  return Object.keys(changed).length === 0 ? props : { ...props, ...changed };
}

function isolatedChildren(children: unknown): unknown {
  if (typeof children === 'string') return canReorder(children) ? isolated(children) : children;
  if (!Array.isArray(children) || !children.some((child) => typeof child === 'string' && canReorder(child))) return children;
  return children.map((child: unknown, at) =>
    typeof child === 'string' && canReorder(child)
      ? createElement('bdi', { key: `bidi ${at}`, dir: 'ltr' }, isolated(child))
      : child,
  );
}

function named(children: unknown): unknown {
  if (typeof children === 'string') return canReorder(children) ? withNamedControls(children) : children;
  return Array.isArray(children) && children.some((child) => typeof child === 'string' && canReorder(child))
    ? children.map((child: unknown) => (typeof child === 'string' ? withNamedControls(child) : child))
    : children;
}
