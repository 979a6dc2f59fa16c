import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { isolatedProps } from './isolated-text.ts';

/*
 * The build calls these functions for every element of the page (electron.vite.config.ts), in place of React's own: a name or a
 * value of somebody else can stand anywhere, and must reorder nothing around it.
 */
type Create = typeof reactJsx;

/** Creates an element with one child. */
export const jsx: Create = (type, props, key) => reactJsx(type, isolatedProps(type, props as Record<string, unknown>), key);

/** Creates an element with several children. */
export const jsxs: Create = (type, props, key) => reactJsxs(type, isolatedProps(type, props as Record<string, unknown>), key);

export { Fragment };
