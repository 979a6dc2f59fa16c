import { createElement, type ReactNode } from 'react';
import { characterName } from '#shared/json/hidden-characters.ts';
import { isSpecial, seenParts, withNames, type SeenPart } from '#shared/json/display-order.ts';

/** Elements whose content is text alone. */
const textOnly = new Set(['option', 'title', 'textarea', 'style', 'script', 'text', 'tspan', 'desc']);
/** Attributes that are shown or read aloud as a text. */
const saidAttributes = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder', 'label'];

/**
 * Draws a text so that it reorders nothing around it and hides nothing: letters read from right to left are isolated, and a
 * character that shows nothing is preceded by its name. The characters stay, so that a copy has them.
 */
function isolated(text: string): ReactNode[] {
  return seenParts(text).map(draw);
}

function draw(part: SeenPart, at: number): ReactNode {
  if (part.kind === 'plain') return part.text;
  if (part.kind === 'marks') return createElement('bdi', { key: at }, part.text);
  if (part.kind === 'rightToLeft') return createElement('bdi', { key: at }, ...part.parts.map(draw));
  const title = characterName(part.text.codePointAt(0) ?? 0);
  return createElement('bdi', { key: at, dir: 'ltr', 'data-control': part.name, title }, part.text);
}

/** Returns the props of an element with every text in them isolated; the same object if nothing in them is special. */
export function isolatedProps(type: unknown, props: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const tag = typeof type === 'string' ? type : null;
  // Components of this page hand their texts on to elements; those of libraries create elements of their own.
  if (typeof type === 'function') return props;
  const changed: Record<string, unknown> = {};
  const children = tag !== null && textOnly.has(tag) ? named(props['children']) : isolatedChildren(props['children']);
  if (children !== props['children']) changed['children'] = children;
  if (tag !== null) {
    for (const name of saidAttributes) {
      const value = props[name];
      if (typeof value === 'string' && isSpecial(value)) changed[name] = withNames(value);
    }
  }
  return Object.keys(changed).length === 0 ? props : { ...props, ...changed };
}

function isolatedChildren(children: unknown): unknown {
  if (typeof children === 'string') return isSpecial(children) ? isolated(children) : children;
  if (!Array.isArray(children) || !children.some((child) => typeof child === 'string' && isSpecial(child))) return children;
  return children.map((child: unknown, at) =>
    typeof child === 'string' && isSpecial(child)
      ? createElement('bdi', { key: `bidi ${at}`, dir: 'ltr' }, isolated(child))
      : child,
  );
}

function named(children: unknown): unknown {
  if (typeof children === 'string') return isSpecial(children) ? withNames(children) : children;
  return Array.isArray(children) && children.some((child) => typeof child === 'string' && isSpecial(child))
    ? children.map((child: unknown) => (typeof child === 'string' ? withNames(child) : child))
    : children;
}
