import type { CdpSession } from './cdp.ts';
import type { SessionDouble } from './session.ts';

const world = 'electron-double-preconnects';

/** Reports each `<link rel="preconnect">` of a document, in place of the renderer's own search for them. */
const script = `new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    for (const node of [target, ...addedNodes])
      if (node instanceof HTMLLinkElement && node.relList.contains('preconnect') && node.href !== '') told(node.href);
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['rel', 'href'] });`;

/** Emits the session's `preconnect` for a page's request to connect ahead. Electron itself makes no such connection. */
export async function followPreconnects(cdp: CdpSession, session: SessionDouble): Promise<void> {
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === 'told') session.emit('preconnect', {}, payload, true);
  });
  await cdp.send('Runtime.addBinding', { name: 'told', executionContextName: world });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: script, worldName: world });
}
