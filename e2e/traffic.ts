import type { Page } from '@playwright/test';

/** Everything that reached a page from its host. */
export interface Traffic {
  /** Returns all texts received so far, one after the other; waits for those on their way. */
  text(): Promise<string>;
  /** Returns the number of responses in it, which shows a test that it records at all. */
  answers(): number;
  /** Returns the number of the page's calls so far that hold a text. */
  asked(text: string): number;
}

/** Returns whether it is a file of the build, the same for everyone: megabytes at each start, without anybody's data. */
function isAsset(url: string): boolean {
  return /\/assets\/[^?#]+\.(?:js|css|woff2|ttf|svg)$/.test(url);
}

/**
 * Records what a Chromium page receives over the network: whole responses (of the build's own files only their heads), and each
 * message of its line.
 */
export async function recordTraffic(page: Page): Promise<Traffic> {
  const session = await page.context().newCDPSession(page);
  const texts: string[] = [];
  const reading = new Set<Promise<void>>();
  const calls: string[] = [];
  const assets = new Set<string>();
  let answers = 0;

  function later(work: Promise<void>): void {
    // A response of a page that went away has nothing left to read.
    const settled = work.catch(() => undefined).finally(() => reading.delete(settled));
    reading.add(settled);
  }

  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (isAsset(response.url)) assets.add(requestId);
    texts.push(`${response.status} ${response.url} ${JSON.stringify(response.headers)}`);
  });
  session.on('Network.requestWillBeSent', ({ request }) => calls.push(request.postData ?? ''));
  session.on('Network.webSocketFrameSent', ({ response }) => calls.push(response.payloadData));
  session.on('Network.webSocketFrameReceived', ({ response: { payloadData } }) => {
    texts.push(payloadData);
    // A reply begins with its number.
    if (/^\d/.test(payloadData)) answers += 1;
  });
  session.on('Network.loadingFinished', ({ requestId }) => {
    answers += 1;
    if (assets.delete(requestId)) return;
    const body = session.send('Network.getResponseBody', { requestId });
    later(
      body.then(({ body: text, base64Encoded }) => {
        texts.push(base64Encoded ? Buffer.from(text, 'base64').toString('utf8') : text);
      }),
    );
  });
  await session.send('Network.enable', { maxTotalBufferSize: 200_000_000, maxResourceBufferSize: 100_000_000 });
  return {
    async text() {
      while (reading.size > 0) await Promise.all(reading);
      return texts.join('\n');
    },
    answers: () => answers,
    asked: (text) => calls.filter((call) => call.includes(text)).length,
  };
}
