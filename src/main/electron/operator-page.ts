import type { Debugger } from 'electron';
import type { GameViewOptions } from '#core/host/host.ts';
import type { Embedding } from '#shared/model/device.ts';
import { gameFrameAllow } from '#shared/page-policy.ts';

/** Returns the URL of the operator's page: of its origin, and no page that the operator has. */
export function operatorUrl({ origin }: Embedding): string {
  return new URL('/croupier-operator-page', origin).href;
}

/** Name that the page's script calls with each message; the game's own site cannot reach it. */
const binding = 'croupierMessage';

/** Messages longer than this are cut, as the record cuts them. */
const longestMessage = 2_000;

/** The page of an operator that frames a game. It has the operator's origin, and no request for it leaves. */
export function createOperatorPage(
  line: Pick<Debugger, 'sendCommand' | 'on'>,
  { url: gameUrl, embedding, onEvent }: Pick<GameViewOptions, 'url' | 'onEvent'> & { readonly embedding: Embedding },
) {
  const url = operatorUrl(embedding);
  const page = Buffer.from(pageOf(gameUrl), 'utf8').toString('base64');
  const responseHeaders = [{ name: 'content-type', value: 'text/html; charset=utf-8' }];

  function fulfil({ requestId, request }: { requestId: string; request: { url: string } }): Promise<unknown> {
    if (request.url !== url) return line.sendCommand('Fetch.continueRequest', { requestId });
    return line.sendCommand('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: page });
  }

  line.on('message', (_event, method: string, values: unknown) => {
    // A page that goes away takes its requests along.
    if (method === 'Fetch.requestPaused') fulfil(values as Parameters<typeof fulfil>[0]).catch(() => undefined);
    if (method !== 'Runtime.bindingCalled') return;
    const { name, payload } = values as { name: string; payload: string };
    if (name === binding) onEvent({ type: 'message', ...messageOf(payload) });
  });

  return {
    /** Makes Chromium show it at its URL, with the operator's rule for third-party cookies. Settles when that is so. */
    async serve(): Promise<void> {
      const refuses = embedding.cookies === 'refused';
      await Promise.all([
        line.sendCommand('Fetch.enable', { patterns: [{ urlPattern: url, requestStage: 'Request' }] }),
        // Without it, a binding does not outlast a change of the process.
        line.sendCommand('Runtime.enable'),
        line.sendCommand('Runtime.addBinding', { name: binding }),
        line.sendCommand('Network.enable'),
        line.sendCommand('Network.setCookieControls', {
          enableThirdPartyCookieRestriction: refuses,
          disableThirdPartyCookieMetadata: refuses,
          disableThirdPartyCookieHeuristics: refuses,
        }),
      ]);
    },
  };
}

function messageOf(payload: string): { origin: string; data: string } {
  const [origin = '', data = ''] = JSON.parse(payload) as string[];
  return { origin, data };
}

/** The frame has what operators give games. Messages other than texts are passed on as JSON. */
function pageOf(gameUrl: string): string {
  const src = gameUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Operator's page</title><link rel="icon" href="data:,"><style>html, body { margin: 0; height: 100%; overflow: hidden; background: #000 } iframe { border: 0; width: 100%; height: 100%; display: block }</style>
<script>
  addEventListener('message', ({ origin, data, source }) => {
    if (source !== document.querySelector('iframe')?.contentWindow) return;
    let text = data;
    try { if (typeof data !== 'string') text = JSON.stringify(data) ?? String(data); } catch { text = String(data); }
    ${binding}(JSON.stringify([origin.slice(0, ${longestMessage}), text.slice(0, ${longestMessage})]));
  });
</script></head><body><iframe src="${src}" title="Game" allow="${gameFrameAllow}"></iframe></body></html>`;
}
