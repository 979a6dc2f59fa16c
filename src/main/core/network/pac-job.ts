import { QuickJS } from 'quickjs-wasi';
import { quickjsWasm } from './quickjs-wasm.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'pac.decide': typeof decidePac;
  }
}

interface PacQuestion {
  readonly script: string;
  /** Origin of the URL: a script sees neither path nor query. */
  readonly url: string;
  readonly host: string;
  /** IPv4 addresses of the names that it asked for, null for one without; the thread itself looks nothing up. */
  readonly known: Readonly<Record<string, string | null>>;
  readonly ownAddress: string;
}

/** The text that a script returned, a name that it needs looked up first, or the end of a sentence that says why it decided nothing. */
type PacReply = { readonly answer: string } | { readonly wants: string } | { readonly problem: string };

const memoryBytes = 32_000_000;
/** Milliseconds of the script; the thread has a limit of its own. */
const scriptMs = 2_000;

/**
 * Runs a script of an automatic configuration in an interpreter of its own, which has the standard's functions and nothing of this program. A name
 * that is not known ends the run: it begins anew when the name has been looked up.
 */
export async function decidePac({ script, url, host, known, ownAddress }: PacQuestion): Promise<PacReply> {
  let wants: string | null = null;
  const started = performance.now();
  const vm = await QuickJS.create({
    wasm: quickjsWasm(),
    memoryLimit: memoryBytes,
    interruptHandler: () => wants !== null || performance.now() - started > scriptMs,
  });
  try {
    const resolve = vm.newFunction('dnsResolve', (name) => {
      const text = String(vm.dump(name)).toLowerCase();
      if (/^\d+(\.\d+){3}$/.test(text)) return vm.newString(text);
      if (!Object.hasOwn(known, text)) wants ??= text;
      const found = known[text] ?? null;
      return found === null ? vm.null : vm.newString(found);
    });
    vm.setProp(vm.global, 'dnsResolve', resolve);
    vm.evalCode(standard, 'standard.js');
    const own = JSON.stringify([url, host, ownAddress]);
    const decided = vm.evalCode(
      `${script}\n;(([url, host, own]) => { myIpAddress = () => own; return FindProxyForURL(url, host); })(${own})`,
    );
    if (wants !== null) return { wants };
    const answer: unknown = vm.dump(decided);
    return typeof answer === 'string' ? { answer } : { problem: 'returned no text' };
  } catch (error) {
    if (wants !== null) return { wants };
    if (performance.now() - started > scriptMs) return { problem: `took longer than ${scriptMs / 1_000} s` };
    return { problem: /out of memory/i.test(String(error)) ? 'needs too much memory' : 'failed' };
  } finally {
    vm.dispose();
  }
}

/** The functions of the standard, which run where the script runs. `myIpAddress` and `dnsResolve` are set beside them. */
const standard = String.raw`
var myIpAddress;
function alert() {}
function dnsDomainIs(host, domain) { return String(host).endsWith(domain); }
function dnsDomainLevels(host) { return String(host).split('.').length - 1; }
function isPlainHostName(host) { return !String(host).includes('.'); }
function localHostOrDomainIs(host, whole) { return host === whole || String(whole).startsWith(host + '.'); }
function isResolvable(host) { return dnsResolve(host) !== null; }
function shExpMatch(text, pattern) {
  const escaped = String(pattern).replace(/[.+^$(){}|[\]\\]/g, '\\$&').replace(/\*+/g, '.*').replace(/\?/g, '.');
  return new RegExp('^' + escaped + '$').test(text);
}
function convert_addr(address) { return String(address).split('.').reduce((all, part) => (all << 8) | part, 0); }
function isInNet(host, pattern, mask) {
  const address = dnsResolve(host);
  return address !== null && (convert_addr(address) & convert_addr(mask)) === (convert_addr(pattern) & convert_addr(mask));
}
function between(value, from, to) { return from <= to ? from <= value && value <= to : value >= from || value <= to; }
function inZone(given) {
  const isGmt = given.at(-1) === 'GMT';
  const now = new Date();
  const read = (part) => now['get' + (isGmt ? 'UTC' : '') + part]();
  return [isGmt ? given.slice(0, -1) : given, read];
}
function weekdayRange(...given) {
  const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
  const [[from, to = from], read] = inZone(given);
  return between(read('Day'), days.indexOf(from), days.indexOf(to));
}
function timeRange(...given) {
  const [parts, read] = inZone(given);
  const half = parts.length / 2;
  const seconds = ([hour = 0, minute = 0, second = 0]) => hour * 3600 + minute * 60 + second;
  const now = seconds([read('Hours'), read('Minutes'), read('Seconds')]);
  if (parts.length === 1) return read('Hours') === parts[0];
  return between(now, seconds(parts.slice(0, half)), seconds(parts.slice(half)));
}
function dateRange(...given) {
  const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
  const [parts, read] = inZone(given);
  const kindOf = (part) => (typeof part === 'string' ? 'Month' : part > 31 ? 'FullYear' : 'Date');
  const valueOf = (part) => (typeof part === 'string' ? months.indexOf(part) : part);
  const weights = { Date: 1, Month: 100, FullYear: 10000 };
  const sum = (all) => all.reduce((total, part) => total + valueOf(part) * weights[kindOf(part)], 0);
  const half = parts.length === 1 ? 1 : parts.length / 2;
  const first = parts.slice(0, half);
  const now = first.reduce((total, part) => total + read(kindOf(part)) * weights[kindOf(part)], 0);
  return between(now, sum(first), sum(parts.length === 1 ? first : parts.slice(half)));
}
`;
