import type { TestServer, TestCertificate } from '#testing/https-server.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { waysScript } from './ways.ts';

/**
 * Starts the server of the page that tries its ways out: `/` is the page, `/to?URL` a redirect, and any path ending in `/any`
 * returns what its query sets.
 */
export function startSite(certificate: TestCertificate): Promise<TestServer> {
  let cached = 0;
  return startHttpsServer(
    ({ request }, response) => {
      const url = new URL(request.url ?? '/', 'https://ways.example');
      // It also plays the provider that returns this game.
      if (url.pathname === '/serviceApi.php') {
        const data = { launcherURL: `https://ways.example:${request.socket.localPort}/?gameId=1001` };
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify({ code: 0, message: '', data }));
      }
      // Sends another text each time, which a cache may keep.
      if (url.pathname === '/cached')
        return void response.writeHead(200, { 'cache-control': 'max-age=86400, immutable' }).end(`text ${++cached}`);
      // Answers 200 if a password came with the request; else asks for one.
      if (url.pathname === '/password') {
        const given = request.headers.authorization !== undefined;
        return void response.writeHead(given ? 200 : 401, { 'www-authenticate': 'Basic realm="x"' }).end();
      }
      if (url.pathname === '/to') return void response.writeHead(302, { location: url.search.slice(1) }).end();
      if (url.pathname.endsWith('/any')) {
        const { body = '', type = 'text/html', headers = '{}' } = Object.fromEntries(url.searchParams);
        return void response
          .writeHead(200, { 'content-type': type, ...(JSON.parse(headers) as Record<string, string>) })
          .end(body);
      }
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(url.pathname === '/' ? `<!doctype html><title>Ways out</title><body><script>${waysScript}</script>` : '');
    },
    { certificate },
  );
}
