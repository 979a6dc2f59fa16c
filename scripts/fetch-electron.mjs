// Fetches Electron's binary into its cache, from which its own installer takes it: without a limit but for silence, and from where it broke off before.
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Longest silence of the server, in milliseconds. */
const silence = 20_000;

/**
 * Fetches the artifact of the electron package in `root`, checked against the package's own checksums. `onProgress` gets the bytes that are here
 * and all of them (null if unknown); `stop` ends it. Fails if it is not whole; the next call goes on from there.
 */
export async function fetchElectron(root, { onProgress, stop, idle = silence }) {
  const folder = path.join(root, 'node_modules', 'electron');
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const checksums = JSON.parse(readFileSync(path.join(folder, 'checksums.json'), 'utf8'));
  // As its installer does.
  const { downloadArtifact } = createRequire(path.join(folder, 'install.js'))('@electron/get');
  const platform = process.env.ELECTRON_INSTALL_PLATFORM || process.env.npm_config_platform || process.platform;
  const arch = process.env.ELECTRON_INSTALL_ARCH || process.env.npm_config_arch || process.arch;
  const cacheRoot = process.env.electron_config_cache;
  const fetch = await fetchOnTheWayOfCalls(stop);
  const part = path.join(folder, `electron-v${version}-${platform}-${arch}.part`);
  const downloader = {
    async download(url, target) {
      for (let before = -1; !(await continuePart(url, part, { fetch, onProgress, stop, idle }));) {
        const here = sizeOf(part);
        if (stop.aborted || here <= before) throw new Error(`${url} broke off.`);
        before = here;
      }
      mkdirSync(path.dirname(target), { recursive: true });
      copyFileSync(part, target);
      // Whole or, if its checksum says otherwise, of no use.
      rmSync(part);
    },
  };
  return downloadArtifact({ version, artifactName: 'electron', platform, arch, cacheRoot, checksums, downloader });
}

/** Returns a fetch that leaves through the proxies that calls leave through, each host by its own decision. */
async function fetchOnTheWayOfCalls(stop) {
  // Not before Node is known to be new enough for them.
  const { Agent, buildConnector, fetch } = await import('undici');
  const { hide } = await import('../src/main/core/keys/secret.ts');
  const { loginAnswer } = await import('../src/main/core/keys/login-answer.ts');
  const { systemResolve } = await import('../src/main/core/network/address-policy.ts');
  const { createPac } = await import('../src/main/core/network/pac.ts');
  const { decidePac } = await import('../src/main/core/network/pac-job.ts');
  const { createProxies } = await import('../src/main/core/network/proxies.ts');
  const { createSystemProxy } = await import('../src/main/core/network/system-proxy.ts');
  // Beside Node's, to which NODE_EXTRA_CA_CERTS adds: for a company that inspects TLS, and for a proxy that speaks it.
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
  const authorities = async () => [];
  const proxies = createProxies({
    authorities,
    env: process.env,
    system: createSystemProxy(process.env),
    pac: createPac({ reading: { run: (_name, input) => decidePac(input) }, resolve: systemResolve, authorities }),
    sign: async (_proxy, question, given) => (given === null ? null : loginAnswer(hide(given()), question)),
  });
  const connect = buildConnector({});
  async function reach(target) {
    if (target.protocol !== 'https:') return target;
    const host = `${target.hostname}:${target.port || 443}`;
    const { proxy, problem } = await proxies.wayTo('system', new URL(`https://${host}`));
    if (problem !== undefined) throw new Error(problem);
    return proxy === null ? target : { ...target, httpSocket: await proxy.tunnel(host, { signal: stop, lookup: null }) };
  }
  const dispatcher = new Agent({
    connect: (target, done) => void reach(target).then((reached) => connect(reached, done), done),
  });
  return (url, options) => fetch(url, { ...options, dispatcher });
}

const sizeOf = (file) => (existsSync(file) ? statSync(file).size : 0);

/** Appends what is missing to a part. Returns whether it is whole; fails if the server gives nothing. */
async function continuePart(url, part, { fetch, onProgress, stop, idle }) {
  const from = sizeOf(part);
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), idle);
  const signal = AbortSignal.any([stop, silent.signal]);
  try {
    const response = await fetch(url, { signal, headers: from > 0 ? { range: `bytes=${from}-` } : {} });
    // The part is as long as the whole, or longer.
    if (response.status === 416) {
      rmSync(part);
      return false;
    }
    if (!response.ok) throw new Error(`Response code ${response.status} for ${url}`);
    const goesOn = response.status === 206;
    const length = Number(response.headers.get('content-length') ?? NaN);
    let here = goesOn ? from : 0;
    const all = Number.isNaN(length) ? null : here + length;
    // At once: what came stays, however the connection ends.
    const file = openSync(part, goesOn ? 'a' : 'w');
    try {
      for await (const chunk of response.body) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), idle);
        writeSync(file, chunk);
        here += chunk.length;
        onProgress(here, all);
      }
    } finally {
      closeSync(file);
    }
    return all === null || here === all;
  } catch (error) {
    if (sizeOf(part) === 0) throw error;
    return false;
  } finally {
    clearTimeout(timer);
  }
}
