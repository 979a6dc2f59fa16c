import { useLayoutEffect, type RefObject } from 'react';

/** Moves the keyboard to the page's content if an element goes away with the keyboard in it. */
export function useFocusKept(element: RefObject<HTMLElement | null>): void {
  // Runs before the element leaves the page: afterwards nobody knows where the keyboard was.
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (current?.contains(document.activeElement) === true) document.getElementById('content')?.focus();
    };
  }, [element]);
}
