import { useLayoutEffect, type RefObject } from 'react';

/** When an element goes away with the keyboard in it, the keyboard goes to the page's content, and not to nowhere. */
export function useFocusKept(element: RefObject<HTMLElement | null>): void {
  // Before it is out of the page: afterwards nobody knows where the keyboard was.
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (current?.contains(document.activeElement) === true) document.getElementById('content')?.focus();
    };
  }, [element]);
}
