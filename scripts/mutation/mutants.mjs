// Reads a source text and returns what can be changed in it, one change at a time: Stryker's standard mutators, and returned
// values.
import { parseSync } from 'vite';
import { regexMutants } from './regex-mutants.mjs';

const comparisons = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
};
const arithmetic = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
};
const logical = { '&&': '||', '||': '&&', '??': '&&' };
const assignments = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '%=': '*=',
  '<<=': '>>=',
  '>>=': '<<=',
  '&=': '|=',
  '|=': '&=',
  '&&=': '||=',
  '||=': '&&=',
  '??=': '&&=',
};
const methods = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  every: 'some',
  some: 'every',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  min: 'max',
  max: 'min',
  charAt: null,
  filter: null,
  reverse: null,
  slice: null,
  sort: null,
  substring: null,
  toReversed: null,
  toSorted: null,
  trim: null,
};

/** Nodes of TypeScript that hold an expression that runs. */
const transparent = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TSParameterProperty',
]);

const isText = (node) => (node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral';
const unwrapped = (node) => (node?.type === 'ParenthesizedExpression' ? unwrapped(node.expression) : node);
/** Returns whether the sum is of texts, as far as its operands show. */
const joinsTexts = (node) =>
  node.type === 'BinaryExpression'
    ? node.operator === '+' && (joinsTexts(unwrapped(node.left)) || joinsTexts(unwrapped(node.right)))
    : isText(node);
const isFunction = (node) => /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node?.type);
const isNothing = (node) => node === null || (node.type === 'Identifier' && node.name === 'undefined');

/** Returns whether leaving the statement out is the same as a condition that is never true, which is a mutant already. */
const isAllOfBranch = (node, parent) => parent.type === 'IfStatement' && parent.consequent === node && parent.alternate === null;

/** Returns the changes of a `return`: it returns nothing, or the statements after it run, too. */
function returnChanges(node, parent, outer) {
  const isLast = isFunction(outer);
  const isBody = isLast && parent.body.length === 1;
  const isBranch = isAllOfBranch(node, parent) || (isAllOfBranch(parent, outer) && parent.body?.length === 1);
  return [...(isNothing(node.argument) || isBody ? [] : ['return;']), ...(isLast || isBranch ? [] : [';'])];
}

/** Returns the changes of a node: `[mutator, start, end, replacement]`. */
function changesOf(node, [parent, outer], source) {
  const whole = (mutator, ...texts) => texts.map((text) => [mutator, node.start, node.end, text]);
  const operator = (mutator, left, right, ...texts) => {
    const at = source.indexOf(node.operator, left.end);
    return at < 0 || at >= right.start ? [] : texts.map((text) => [mutator, at, at + node.operator.length, text]);
  };
  switch (node.type) {
    case 'BlockStatement':
      if (node.body.length === 0 || isAllOfBranch(node, parent) || source.slice(node.start, node.end).includes('super('))
        return [];
      return whole('block', '{}');
    case 'Literal':
      if (typeof node.value === 'boolean') return whole('boolean', String(!node.value));
      if (typeof node.value === 'string') return whole('string', node.value === '' ? "'mutated'" : "''");
      if (node.regex)
        return whole(
          'regex',
          ...regexMutants(node.regex.pattern, node.regex.flags).map((pattern) => `/${pattern}/${node.regex.flags}`),
        );
      return [];
    case 'TemplateLiteral':
      if (parent.type === 'TaggedTemplateExpression') return [];
      return whole('string', source.slice(node.start, node.end) === '``' ? '`mutated`' : '``');
    case 'ArrayExpression':
      return whole('array', node.elements.length === 0 ? "['mutated']" : '[]');
    case 'ObjectExpression':
      return node.properties.length === 0 ? [] : whole('object', '{}');
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((text) => ['condition', node.test.start, node.test.end, text]);
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return node.test ? [['condition', node.test.start, node.test.end, 'false']] : [];
    case 'SwitchCase': {
      const last = node.consequent.at(-1);
      return last ? [['case', node.consequent[0].start, last.end, '']] : [];
    }
    case 'BinaryExpression':
      if (comparisons[node.operator])
        return [
          ...operator('comparison', node.left, node.right, ...comparisons[node.operator]),
          ...whole('condition', 'true', 'false'),
        ];
      if (!arithmetic[node.operator] || joinsTexts(node)) return [];
      return operator('arithmetic', node.left, node.right, arithmetic[node.operator]);
    case 'LogicalExpression':
      return [
        ...operator('logical', node.left, node.right, logical[node.operator]),
        ...(node.operator === '??' ? [] : whole('condition', 'true', 'false')),
      ];
    case 'AssignmentExpression':
      return assignments[node.operator] ? operator('assignment', node.left, node.right, assignments[node.operator]) : [];
    case 'UnaryExpression':
      if (node.operator === '!') return whole('negation', source.slice(node.argument.start, node.argument.end));
      if (node.operator === '-' || node.operator === '~')
        return whole('sign', `+${source.slice(node.argument.start, node.argument.end)}`);
      return [];
    case 'UpdateExpression': {
      const other = node.operator === '++' ? '--' : '++';
      const at = node.prefix ? node.start : node.end - 2;
      return [['update', at, at + 2, other]];
    }
    case 'ArrowFunctionExpression':
      if (node.body.type === 'BlockStatement' || isNothing(unwrapped(node.body))) return [];
      return [['return', node.body.start, node.body.end, 'undefined']];
    case 'ReturnStatement':
      return whole('return', ...returnChanges(node, parent, outer));
    case 'MemberExpression':
    case 'CallExpression': {
      const found = [];
      const left = node.type === 'MemberExpression' ? node.object : node.callee;
      if (node.optional) {
        const at = source.indexOf('?.', left.end);
        const plain = node.type === 'MemberExpression' && !node.computed ? '.' : '';
        found.push(['optional', at, at + 2, plain]);
      }
      const name = left.type === 'MemberExpression' && !left.computed ? left.property.name : null;
      if (node.type === 'CallExpression' && name !== null && Object.hasOwn(methods, name)) {
        if (methods[name] === null) found.push(['method', left.object.end, node.end, '']);
        else found.push(['method', left.property.start, left.property.end, methods[name]]);
      }
      return found;
    }
    default:
      return [];
  }
}

/** Returns whether the node is a name or a position of a module, which no test could ask for otherwise. */
function isFixed(node, parent) {
  if (node.type.startsWith('TS') && !transparent.has(node.type)) return true;
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true;
  if (parent.type === 'ExportNamedDeclaration' && parent.source === node) return true;
  if (parent.type === 'ImportExpression' && parent.source === node) return true;
  if (parent.type === 'ExpressionStatement' && typeof parent.directive === 'string') return true;
  return /^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type) && parent.key === node && !parent.computed;
}

/** Returns the mark of execution before and after a node, by the node's role; null for none. */
function markOf(node, parent, role) {
  if (node.type === 'BlockStatement') return ['in'];
  if (isFunction(parent) && role === 'body') return ['(', ')'];
  if (node.type === 'SwitchCase' && node.consequent.length > 0) return ['case'];
  if ((role === 'consequent' || role === 'alternate') && parent.type === 'ConditionalExpression') return ['(', ')'];
  if ((role === 'consequent' || role === 'alternate') && parent.type === 'IfStatement') return ['{', '}'];
  if (role === 'body' && /^(For|While|DoWhile)/.test(parent.type)) return ['{', '}'];
  if (role === 'right' && parent.type === 'LogicalExpression') return ['(', ')'];
  return null;
}

/**
 * Returns the mutants of a source text, and the text with marks: when it runs, `reach` (a statement that gets the number of the
 * mark) runs where control comes by. A mutant's `mark` is the one that control passes before it.
 */
export function mutantsOf(source, file, reach = (mark) => `/* ${mark} */`) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const mutants = new Map();
  const opens = [];
  const closes = [];
  let marks = 0;

  const visit = (node, ancestors, role, mark) => {
    const [parent] = ancestors;
    if (isFixed(node, parent)) return;
    const kind = markOf(node, parent, role);
    let inner = mark;
    if (kind !== null) {
      inner = ++marks;
      const call = reach(inner);
      if (kind[0] === 'in') opens.push([node.start + 1, `${call};`]);
      else if (kind[0] === 'case') opens.push([node.consequent[0].start, `${call};`]);
      else {
        opens.push([node.start, kind[0] === '(' ? `(${call},` : `{${call};`]);
        closes.push([node.end, kind[1]]);
      }
    }
    for (const [mutator, start, end, after] of changesOf(node, ancestors, source)) {
      const before = source.slice(start, end);
      const changed = source.slice(0, start) + after + source.slice(end);
      if (before === after || mutants.has(changed)) continue;
      const line = source.slice(0, start).split('\n').length;
      mutants.set(changed, { mutator, start, line, before, after, changed, mark: inner });
    }
    for (const key in node) {
      const passed = node.type === 'SwitchCase' && key === 'test' ? mark : inner;
      for (const child of [node[key]].flat()) if (typeof child?.type === 'string') visit(child, [node, parent], key, passed);
    }
  };
  visit(program, [{ type: 'File' }], 'program', 0);

  // At one position, what ends there comes first, the innermost before all; then what begins there, the outermost before all.
  const inserts = [...closes.reverse(), ...opens].sort(([a], [b]) => a - b);
  let marked = '';
  let from = 0;
  for (const [at, text] of inserts) {
    marked += source.slice(from, at) + text;
    from = at;
  }
  marked += source.slice(from);
  return { mutants: [...mutants.values()].sort((a, b) => a.start - b.start), marked, marks };
}
