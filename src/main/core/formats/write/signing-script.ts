import type { Serialization } from '#shared/ipc/index.ts';

/** The variable of the other tool that holds the key. It is named in the export and never filled in. */
export const keyVariableOfTool = 'privateKey';

/**
 * Returns the script of an exported collection that signs. It puts the values of variables into the body as the workbench does, makes time and
 * hash, and gives the tool the finished text, so that the hashed bytes are those that are sent. It calls the functions of Postman; `time` are the
 * lines of its function that writes a time.
 */
export function signingScript(
  serialization: Serialization,
  tool: { readonly name: string; readonly keyAdvice: string; readonly time: readonly string[] } = postman,
): string[] {
  const escapes = { php: String.raw`/[\u0080-\uffff]/g`, 'php-unicode': String.raw`/[\u2028\u2029]/g`, verbatim: null }[
    serialization
  ];
  return script
    .flatMap((line) => (line === 'TIME' ? tool.time : [line]))
    .map((line) =>
      line
        .replace('ESCAPES', String(escapes))
        .replaceAll('KEY_VARIABLE', keyVariableOfTool)
        .replace('KEY_ADVICE', tool.keyAdvice)
        .replace('TOOL', tool.name),
    )
    .map((line) => (serialization === 'verbatim' ? line.replace('return phpNumber(text);', 'return text;') : line));
}

const timeOfPostman = String.raw`  function time(ms, order) {
    const timeZone = pm.variables.get('timeZone') || 'UTC';
    const form = { timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };
    // Not with Intl, which scripts of Postman do not have.
    const [month, day, year, ...clock] = new Date(ms).toLocaleString('en-US-u-ca-gregory-nu-latn', form).match(/\d+/g);
    const date = order === 'ymd' ? [year, month, day] : [day, month, year];
    return date.join('-') + ' ' + clock.join(':');
  }`.split('\n');

const postman = {
  name: 'Postman',
  keyAdvice: `Set it as a secret of a Postman environment.`,
  time: timeOfPostman,
};

const script = String.raw`(function () {
  const CryptoJS = require('crypto-js');
  const escapes = ESCAPES;
  const now = Date.now();
  const values = {};

TIME

  function uniqueId(label) {
    if (label === undefined) return pm.variables.replaceIn('{{$guid}}');
    // The same in all requests of one pass through the collection.
    const name = 'uniqueId.' + pm.info.iteration + '.' + label;
    if (!pm.variables.has(name)) pm.variables.set(name, pm.variables.replaceIn('{{$guid}}'));
    return pm.variables.get(name);
  }

  function generated(name) {
    if (name === '$braces') return '{{';
    const id = /^\$uniqueId(?::([\w.-]+))?$/.exec(name);
    if (id) return uniqueId(id[1]);
    const moment = /^\$(?:time|now(?:([+-])(\d+)([smhdw]))?)(?::(dmy|ymd))?$/.exec(name);
    if (!moment) return pm.variables.replaceIn('{{' + name + '}}');
    const unit = { s: 1000, m: 60000, h: 3600000, d: 86400000, w: 604800000 }[moment[3]] || 0;
    return time(now + (moment[1] === '-' ? -1 : 1) * Number(moment[2] || 0) * unit, moment[4]);
  }

  function valueOf(name, depth) {
    if (name.startsWith('$')) return generated(name);
    if (Object.hasOwn(values, name)) return values[name];
    const found = pm.variables.get(name);
    if (found === undefined || found === null) throw new Error('The variable ' + name + ' has no value. Set it, or first send the request whose response sets it.');
    if (depth > 20) throw new Error('The variable ' + name + ' contains itself.');
    const text = typeof found === 'string' ? found : JSON.stringify(found);
    values[name] = text.replace(/\{\{[ \t]*([A-Za-z_][\w.-]*|\$[\w.:+-]+)[ \t]*\}\}/g, (all, inner) =>
      inner.startsWith('$') || pm.variables.has(inner) ? valueOf(inner, depth + 1) : all);
    return values[name];
  }

  function inString(text) {
    const escaped = JSON.stringify(text).slice(1, -1);
    return escapes === null ? escaped : escaped.replace(escapes, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
  }

  function phpNumber(text) {
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
    if (/^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return text === '-0' ? '0' : text;
    const value = Number(text);
    const size = Math.abs(value);
    if (value === 0) return Object.is(value, -0) ? '-0' : '0';
    if (size >= 1e-4 && size < 1e17) return String(value);
    const printed = value.toExponential();
    return printed.includes('.') ? printed : printed.replace('e', '.0e');
  }

  /** A value inside a JSON string is escaped; one outside must be JSON and stays as it is. */
  function fill(text) {
    const placeholder = /\{\{[ \t]*([A-Za-z_][\w.-]*|\$[\w.:+-]+)[ \t]*\}\}/y;
    let result = '';
    let inside = false;
    for (let at = 0; at < text.length; ) {
      placeholder.lastIndex = at;
      const found = text.startsWith('{{{', at) ? null : placeholder.exec(text);
      if (found && !/^\$(?:hash|wrongHash)$/.test(found[1])) {
        const value = valueOf(found[1], 0);
        if (inside) result += inString(value);
        else result += outside(value, found[1]);
        at += found[0].length;
      } else if (found) {
        result += found[0];
        at += found[0].length;
      } else if (inside && text[at] === '\\') {
        result += text.slice(at, at + 2);
        at += 2;
      } else {
        if (text[at] === '"') inside = !inside;
        result += text[at];
        at += 1;
      }
    }
    return result;
  }

  function outside(text, name) {
    try {
      JSON.parse(text);
    } catch (error) {
      throw new Error('The value of ' + name + ' is not JSON. Put it in double quotes in the body.');
    }
    return phpNumber(text);
  }

  /** Where the values of the outermost object begin and end. */
  function members(text) {
    const found = {};
    let depth = 0;
    let name = null;
    let start = -1;
    let end = -1;
    for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g)) {
      const mark = token[0];
      const closes = mark === '}' || mark === ']';
      if (depth === 1 && (mark === ',' || closes)) {
        if (name !== null) found[name] = { start, end };
        name = null;
        start = -1;
      } else if (depth === 1 && name === null && mark.startsWith('"')) name = JSON.parse(mark);
      else if (start === -1 && depth === 1 && name !== null && mark !== ':') start = token.index;
      if (mark === '{' || mark === '[') depth += 1;
      else if (closes) depth -= 1;
      end = token.index + mark.length;
    }
    return found;
  }

  function sign(text) {
    const parts = members(text);
    const slot = parts.hash;
    const asked = slot === undefined ? null : /^"\{\{[ \t]*\$(hash|wrongHash)[ \t]*\}\}"$/.exec(text.slice(slot.start, slot.end));
    if (asked === null) return text;
    const key = pm.variables.get('KEY_VARIABLE');
    if (!key) throw new Error('The variable KEY_VARIABLE is not set. KEY_ADVICE');
    const when = parts.time === undefined ? time(now, 'dmy') : JSON.parse(text.slice(parts.time.start, parts.time.end));
    const data = parts.data === undefined ? '' : text.slice(parts.data.start, parts.data.end);
    const right = CryptoJS.SHA256(key + when + data).toString();
    const hash = asked[1] === 'hash' ? right : right.slice(0, -1) + (parseInt(right.slice(-1), 16) ^ 1).toString(16);
    return text.slice(0, slot.start) + '"' + hash + '"' + text.slice(slot.end);
  }

  try {
    const raw = pm.request.body && pm.request.body.raw;
    if (!raw) return;
    const text = sign(fill(raw));
    if (pm.variables.replaceIn(text) !== text) throw new Error('A value contains {{…}}, which TOOL would replace after signing.');
    pm.request.body.update({ mode: 'raw', raw: text, options: { raw: { language: 'json' } } });
  } catch (error) {
    pm.test('the request can be made', function () {
      throw error;
    });
    if (pm.execution && pm.execution.skipRequest) pm.execution.skipRequest();
  }
})();`.split('\n');
