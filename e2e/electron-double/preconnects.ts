import type { CdpSession } from './cdp.ts';
import type { SessionDouble } from './session.ts';

const world = 'electron-double-preconnects';

/** Tells each `<link rel="preconnect">` of a document, as the part of the renderer does that finds them. */
const script = `new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    for (const node of [target, ...addedNodes])
      if (node instanceof HTMLLinkElement && node.relList.contains('preconnect') && node.href !== '') told(node.href);
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['rel', 'href'] });`;

/** Electron connects to nothing ahead of a request; its session tells that a page asked for it. */
export async function followPreconnects(cdp: CdpSession, session: SessionDouble): Promise<void> {
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === 'told') session.emit('preconnect', {}, payload, true);
  });
  await cdp.send('Runtime.addBinding', { name: 'told', executionContextName: world });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: script, worldName: world });
}
