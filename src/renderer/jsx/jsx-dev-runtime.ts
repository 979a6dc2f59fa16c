import { Fragment, jsxDEV as reactJsxDev } from 'react/jsx-dev-runtime';
import { isolatedProps } from './isolated-text.ts';

/** Creates an element while the page is developed; see `jsx-runtime.ts`. */
export const jsxDEV: typeof reactJsxDev = (type, props, ...rest) =>
  reactJsxDev(type, isolatedProps(type, props as Record<string, unknown>), ...rest);

export { Fragment };
