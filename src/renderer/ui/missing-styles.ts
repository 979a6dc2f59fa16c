/**
 * Fetches the style sheets that failed. Vite asks for each once, whatever happens, and would draw a page without them the next
 * time. Fails if one of them fails again.
 */
export async function fetchMissingStyles(page: Document): Promise<void> {
  const links = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const there = new Set(links.filter(isThere).map(({ href }) => href));
  const missing = new Set(links.map(({ href }) => href).filter((href) => !there.has(href)));
  await Promise.all(Array.from(missing, (href) => fetchStyles(page, href)));
}

function isThere({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    // Of a failed one Chromium keeps a sheet whose rules nobody may read.
    return false;
  }
}

function fetchStyles(page: Document, href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = page.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error('Unable to preload CSS')));
    page.head.append(link);
  });
}
