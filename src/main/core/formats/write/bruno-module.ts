import type { Serialization } from '#shared/ipc/index.ts';
import { checkHelpers } from './check-script.ts';
import { keyVariableOfTool, signingScript } from './signing-script.ts';

/** The file that signs and checks; the other files of the collection load it. */
export const moduleOfBruno = 'croupier.js';

/** Names of the functions for checks, and of the parts of `pm` that they use. */
const names = ['pm', ...checkHelpers.flatMap((line) => /^const (\w+) =/.exec(line)?.[1] ?? [])];

/** Returns the line that loads the functions that these lines of a request's checks use. */
export function loadingChecks(lines: readonly string[]): string[] {
  const used = names.filter((name) => lines.some((line) => new RegExp(`\\b${name}\\b`).test(line)));
  return [`const { ${used.join(', ')} } = require('./${moduleOfBruno}').checks(bru, res, test);`];
}

/** Signs a request. */
export const signingOfBruno = `require('./${moduleOfBruno}').sign(bru, req);`;
/** The environment variable that holds the key where no variable does. */
export const keyOfProcess = 'CROUPIER_KEY';

/**
 * Returns the module of an exported collection. Its functions are those of the export to Postman, with the parts of `pm` that they use. The safe
 * mode of Bruno knows no time zones, so the module has the changes of the given zone.
 */
export function brunoModule(serialization: Serialization, { timeZone, writer }: { timeZone: string; writer: string }): string {
  const signing = signingScript(serialization, {
    name: 'Bruno',
    keyAdvice: `Add it to the Bruno environment as a secret, or set the environment variable ${keyOfProcess}.`,
    time,
  });
  return [
    `// Written by ${writer}. It signs each request and checks its response: see "Import and export" in Croupier's documentation.`,
    `const zone = ${JSON.stringify({ name: timeZone, changes: changesOf(timeZone) })};`,
    ...variables,
    '',
    'function sign(bru, req) {',
    '  // So that no number of the response loses a digit.',
    '  req.disableParsingResponseJson();',
    '  const pm = {',
    '    variables: variablesOf(bru),',
    '    info: { iteration: bru.runner.iterationIndex || 0 },',
    '    request: { body: { raw: req.getBody({ raw: true }), update: ({ raw }) => req.setBody(raw, { raw: true }) } },',
    '    test: (words, run) => run(),',
    '  };',
    ...indented(signing),
    '}',
    '',
    "const textOfBody = (body) => (typeof body === 'string' ? body : JSON.stringify(body));",
    '',
    'function checks(bru, res, test) {',
    '  const variables = variablesOf(bru);',
    '  const pm = {',
    '    variables,',
    '    collectionVariables: variables,',
    '    response: { text: () => textOfBody(res.getBody()), code: res.getStatus(), responseTime: res.getResponseTime() },',
    '    test,',
    '  };',
    ...indented(checkHelpers),
    `  return { ${names.join(', ')} };`,
    '}',
    '',
    'module.exports = { sign, checks };',
    '',
  ].join('\n');
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}

const variables = String.raw`
function variablesOf(bru) {
  // The nearest scope counts, as in Bruno.
  const scopes = [
    (name) => bru.runner.iterationData && bru.runner.iterationData.get(name),
    (name) => bru.getVar(name),
    (name) => bru.getRequestVar(name),
    (name) => bru.getFolderVar(name),
    (name) => bru.getEnvVar(name),
    (name) => bru.getCollectionVar(name),
    (name) => bru.getGlobalEnvVar(name),
    (name) => (name === 'KEY_VARIABLE' ? bru.getProcessEnv('KEY_OF_PROCESS') : undefined),
  ];
  const get = (name) => {
    for (const scope of scopes) {
      const value = scope(name);
      if (value !== undefined && value !== null && (value !== '' || name !== 'KEY_VARIABLE')) return value;
    }
    return undefined;
  };
  return { get, has: (name) => get(name) !== undefined, set: (name, value) => bru.setVar(name, value), replaceIn: (text) => bru.interpolate(text) };
}`
  .replaceAll('KEY_VARIABLE', keyVariableOfTool)
  .replace('KEY_OF_PROCESS', keyOfProcess)
  .split('\n')
  .slice(1);

const time = String.raw`  function time(ms, order) {
    const name = pm.variables.get('timeZone') || 'UTC';
    let date;
    if (name === zone.name) {
      let minutes = 0;
      for (const [from, offset] of zone.changes) if (from <= ms / 60000) minutes = offset;
      date = new Date(ms + minutes * 60000).toISOString().match(/\d+/g).slice(0, 6);
    } else {
      if (typeof Intl === 'undefined') throw new Error('The safe mode of Bruno knows no time zone but ' + zone.name + '. Export again, or use its developer mode.');
      const form = { timeZone: name, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };
      const [month, day, year, ...clock] = new Date(ms).toLocaleString('en-US-u-ca-gregory-nu-latn', form).match(/\d+/g);
      date = [year, month, day, ...clock];
    }
    const [year, month, day, ...clock] = date;
    return (order === 'ymd' ? [year, month, day] : [day, month, year]).join('-') + ' ' + clock.join(':');
  }`.split('\n');

const [firstYear, lastYear] = [2025, 2045];
const dayMinutes = 1_440;

/** Returns the offsets of a zone in minutes, each with the minute since the epoch from which it holds. */
function changesOf(timeZone: string): [from: number, offset: number][] {
  const form = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  function offsetAt(minute: number): number {
    const [month = 0, day = 0, year = 0, hour = 0, past = 0] = (form.format(minute * 60_000).match(/\d+/g) ?? []).map(Number);
    return Date.UTC(year, month - 1, day, hour, past) / 60_000 - minute;
  }
  const start = Date.UTC(firstYear, 0) / 60_000;
  const end = Date.UTC(lastYear, 0) / 60_000;
  const changes: [number, number][] = [[0, offsetAt(start)]];
  // No zone changes twice in a week.
  const step = 7 * dayMinutes;
  for (let from = start; from < end; from += step) {
    let [low, high] = [from, from + step];
    const [before, after] = [offsetAt(low), offsetAt(high)];
    if (before === after) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    changes.push([high, after]);
  }
  return changes;
}
