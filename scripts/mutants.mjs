// Reads a source text and returns the faults that can be planted in it, one at a time.
import { parseSync } from 'vite';

/** Operators, each with those that are planted in its place. */
const operators = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '+=': ['-='],
  '-=': ['+='],
  '&&=': ['||='],
  '||=': ['&&='],
  '??=': ['&&='],
};

/** Methods, each with the one in its place; null drops the call. */
const methods = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  filter: null,
  slice: null,
  toSorted: null,
  toReversed: null,
  trim: null,
};

/** Nodes of TypeScript that hold an expression that runs. */
const transparent = /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$/;

const plain = (node) => (node?.type === 'ParenthesizedExpression' ? plain(node.expression) : node);
const isText = (node) =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && node.operator === '+' && (isText(plain(node.left)) || isText(plain(node.right))));
const isUndefined = (node) => node === null || (node.type === 'Identifier' && node.name === 'undefined');

/** Returns the faults of a node: `[start, end, replacement]`. */
function faultsOf(node, source) {
  const whole = (text) => [node.start, node.end, text];
  const textOf = ({ start, end }) => source.slice(start, end);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const at = source.indexOf(node.operator, node.left.end);
      return isText(node) ? [] : (operators[node.operator] ?? []).map((text) => [at, at + node.operator.length, text]);
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      return [[node.test.start, node.test.end, `!(${textOf(node.test)})`]];
    case 'WhileStatement':
      return [[node.test.start, node.test.end, 'false']];
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? [whole(textOf(node.argument))] : [];
    case 'UpdateExpression': {
      const at = node.prefix ? node.start : node.end - 2;
      return [[at, at + 2, node.operator === '++' ? '--' : '++']];
    }
    case 'Literal':
      if (typeof node.value === 'boolean') return [whole(String(!node.value))];
      return typeof node.value === 'number' ? [whole(String(node.value + 1))] : [];
    case 'ArrayExpression':
      return node.elements.length > 0 ? [whole('[]')] : [];
    case 'ArrowFunctionExpression':
      if (node.body.type === 'BlockStatement' || isUndefined(plain(node.body))) return [];
      return [[node.body.start, node.body.end, 'undefined']];
    case 'ReturnStatement':
      return isUndefined(node.argument) ? [] : [whole('return;')];
    case 'ExpressionStatement':
      return /^(?:Call|Assignment|Await|Update)Expression$/.test(node.expression.type) ? [whole(';')] : [];
    case 'SwitchCase':
      return node.consequent.length > 0 ? [[node.consequent[0].start, node.consequent.at(-1).end, '']] : [];
    case 'CallExpression': {
      const { callee } = node;
      const name = callee.type === 'MemberExpression' && !callee.computed ? callee.property.name : '';
      if (!Object.hasOwn(methods, name)) return [];
      if (methods[name] === null) return [[callee.object.end, node.end, '']];
      return [[callee.property.start, callee.property.end, methods[name]]];
    }
    default:
      return [];
  }
}

/** Returns whether a node is a type, or names a module. */
const isFixed = (node) =>
  (node.type.startsWith('TS') && !transparent.test(node.type)) || /^(?:Import|ExportAll)Declaration$/.test(node.type);

/** Returns every fault of a source: its `line` (from 1), its `start`, and the text `before` and `after`; of one line, if `only` is given. */
export function mutantsOf(source, file, only = null) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const found = [];
  const visit = (node) => {
    if (isFixed(node)) return;
    for (const [start, end, after] of faultsOf(node, source)) {
      const line = source.slice(0, start).split('\n').length;
      if (only !== null && line !== only) continue;
      const changed = source.slice(0, start) + after + source.slice(end);
      // A number may be the name of a member, and `a ?? b && c` is no expression.
      if (parseSync(file, changed).errors.length > 0) continue;
      found.push({ line, start, before: source.slice(start, end), after });
    }
    for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') visit(child);
  };
  visit(program);
  return found;
}
