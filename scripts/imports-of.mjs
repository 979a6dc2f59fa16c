// Reads which modules a source text asks for, in every form the language has. A form that hides its module is reported, not
// skipped.
import { parseSync } from 'vite';

/** Returns the text of a string, or of a template without values; otherwise null. */
function literal(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return null;
}

/** Returns whether the node is a text: a string, a part of a template, or text between tags. */
const isText = ({ type, value }) =>
  type === 'TemplateElement' || type === 'JSXText' || (type === 'Literal' && typeof value === 'string');

const named = (node, name) => node?.type === 'Identifier' && node.name === name;
const isMeta = (node) => node?.type === 'MetaProperty';
/** Returns the name of the member that is read: `a.name` and `a['name']` alike. */
const member = (node) =>
  node?.type === 'MemberExpression' ? (node.computed ? literal(node.property) : node.property.name) : undefined;

/** Returns whether it is `x` of `import.meta.x`. */
const ofMeta = (node, name) => isMeta(node?.object) && member(node) === name;

/** Returns whether the expression is a `require`: the global, that of a module, or one made for this call. */
const isRequire = (node) =>
  named(node, 'require') ||
  (member(node) === 'require' && (named(node.object, 'module') || named(node.object, 'globalThis'))) ||
  (node?.type === 'CallExpression' && (named(node.callee, 'createRequire') || member(node.callee) === 'createRequire'));

const loaders = new Set(['import', 'importActual', 'mock', 'doMock', 'unmock', 'doUnmock', 'importMock']);

/**
 * Returns the module that one node names, as `[form, node of the module's name]`; null if it names none. The caller looks at the
 * node's children in any case.
 */
function requests(node) {
  switch (node.type) {
    case 'ImportDeclaration':
      return [node.importKind === 'type' ? 'type import' : 'import', node.source];
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.source ? ['re-export', node.source] : null;
    case 'ImportExpression':
      return ['dynamic import', node.source];
    case 'TSImportEqualsDeclaration':
      return node.moduleReference.type === 'TSExternalModuleReference' ? ['import =', node.moduleReference.expression] : null;
    case 'TSImportType':
      return ['inline type', node.source];
    case 'TSModuleDeclaration':
      return node.id.type === 'Literal' ? ['declare module', node.id] : null;
    case 'CallExpression': {
      const { callee } = node;
      const [first] = node.arguments;
      if (isRequire(callee)) return ['require', first];
      if (member(callee) === 'resolve' && isRequire(callee.object)) return ['require', first];
      if (member(callee) === 'getBuiltinModule') return ['getBuiltinModule', first];
      if (ofMeta(callee, 'resolve')) return ['import.meta.resolve', first];
      if (ofMeta(callee, 'glob')) return ['import.meta.glob', null];
      if (named(callee, 'importScripts')) return ['importScripts', first];
      if (member(callee) === 'parse' && named(callee.object, 'URL') && ofMeta(node.arguments[1], 'url')) return ['URL', first];
      // `vi.mock(import('…'))` names it by the import.
      if (named(callee?.object, 'vi') && loaders.has(member(callee)))
        return first?.type === 'ImportExpression' ? null : ['vi', first];
      return null;
    }
    case 'NewExpression': {
      const [first, base] = node.arguments;
      if (named(node.callee, 'URL') && ofMeta(base, 'url')) return ['URL', first];
      if (node.callee.name?.endsWith('Worker') && literal(first) !== null) return ['worker', first];
      return null;
    }
    default:
      return null;
  }
}

/** Returns whether a name loads a module later, out of sight: a `require` that is passed on, and the maker of one. */
function hidden(node, parent) {
  if (!named(node, 'require') && !named(node, 'createRequire')) return false;
  const isName = parent.type === 'MemberExpression' && parent.property === node && !parent.computed;
  const isKey = /^(Property|MethodDefinition|PropertyDefinition|TSMethodSignature|TSPropertySignature)$/.test(parent.type);
  if (isName || (isKey && parent.key === node && !parent.shorthand)) return false;
  if (parent.type === 'ImportSpecifier') return parent.imported === node;
  if (parent.type === 'CallExpression' && parent.callee === node) return false;
  return !(parent.type === 'MemberExpression' && parent.object === node && ['resolve', 'cache', 'main'].includes(member(parent)));
}

const nameOf = (node) => node.name ?? node.value;

/** Returns the names that a declaration or a pattern declares. */
function declared(node) {
  switch (node?.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => declared(id));
    case 'Identifier':
      return [node.name];
    case 'ObjectPattern':
      return node.properties.flatMap((property) => declared(property.value ?? property.argument));
    case 'ArrayPattern':
      return node.elements.flatMap(declared);
    case 'AssignmentPattern':
      return declared(node.left);
    case 'RestElement':
      return declared(node.argument);
    default:
      return node?.id?.type === 'Identifier' ? [node.id.name] : [];
  }
}

/** Returns the exports of a statement: each name, and of a name from another module its name there and that module. */
function exported(node) {
  if (node.type === 'ExportDefaultDeclaration') return [{ name: 'default' }];
  if (node.type === 'ExportAllDeclaration')
    return [{ name: node.exported === null ? '*' : nameOf(node.exported), of: '*', from: node.source.value }];
  if (node.type !== 'ExportNamedDeclaration') return [];
  const own = declared(node.declaration).map((name) => ({ name }));
  const listed = node.specifiers.map((one) => ({
    name: nameOf(one.exported),
    ...(node.source ? { of: nameOf(one.local), from: node.source.value } : {}),
  }));
  return [...own, ...listed];
}

/** Returns the types that an exported value shows to its callers: all that it names outside the bodies of functions, and in what they return. */
function shownTypes(node) {
  const names = [];
  const visit = (one) => {
    if (one.type === 'TSTypeReference' && one.typeName.type === 'Identifier') names.push(one.typeName.name);
    if (one.type === 'BlockStatement' || one.type === 'FunctionBody') {
      for (const last of one.body) if (last.type === 'ReturnStatement') visit(last);
      return;
    }
    for (const child of Object.values(one).flat()) if (typeof child?.type === 'string') visit(child);
  };
  const { declaration } = node;
  if (declaration && !/^TS(?:Interface|TypeAlias)/.test(declaration.type)) visit(declaration);
  return names;
}

const leftmost = (name) => (name.type === 'TSQualifiedName' ? leftmost(name.left) : name.name);

/** Returns the names that a request takes of its module: `*` is all of them, null each that the text of the file holds. */
function taken(node, parent) {
  if (node.type === 'ImportExpression') return /^(?:Return|ArrowFunction)/.test(parent.type) ? ['*'] : null;
  if (node.type === 'TSImportType') return node.qualifier === null ? ['*'] : [leftmost(node.qualifier)];
  if (node.type !== 'ImportDeclaration') return null;
  const names = { ImportSpecifier: (one) => nameOf(one.imported), ImportDefaultSpecifier: () => 'default' };
  if (node.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return null;
  return node.specifiers.map((one) => names[one.type](one));
}

/**
 * Reads the imports and exports of a source text, each in its order. `imports` are `{ specifier, form, line, names }`: the
 * specifier is null if the text does not name the module, and `names` are what it takes, as `taken` returns them. `exports` are `{
 * name, line }`, with `of` and `from` if another module has it; `shown` are the types that exported values show. `strings` and
 * `comments` are the `{ start, end }` of each; names of modules are not among the strings. Throws if the text cannot be parsed.
 */
export function readModule(source, file = 'source.ts') {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const found = [];
  const strings = [];
  const add = (form, specifier, start, names = null) => found.push({ specifier, form, start, names });
  for (const { value, start } of comments) {
    const reference = /^\/\s*<reference\s+(?:path|types)\s*=\s*['"]([^'"]+)['"]/.exec(value);
    if (reference) add('reference', reference[1], start);
    if (!value.startsWith('*')) continue;
    for (const [, name] of value.matchAll(/(?:\bimport\(\s*|@import\b[^'"]*?from\s*)['"]([^'"]+)['"]/g))
      add('comment', name, start);
  }
  const visit = (node, parent) => {
    const request = requests(node);
    if (request) add(request[0], literal(request[1]), node.start, taken(node, parent));
    else if (hidden(node, parent)) add('require', null, node.start);
    if (isText(node) && parent.type !== 'ImportDeclaration') strings.push({ start: node.start, end: node.end });
    for (const key in node) {
      const child = node[key];
      if (Array.isArray(child)) {
        for (const one of child) if (one !== null && typeof one?.type === 'string') visit(one, node);
      } else if (child !== null && typeof child?.type === 'string') visit(child, node);
    }
  };
  visit(program, { type: 'File' });
  const lineOf = (start) => source.slice(0, start).split('\n').length;
  return {
    imports: found
      .sort((a, b) => a.start - b.start)
      .map(({ specifier, form, start, names }) => ({ specifier, form, line: lineOf(start), names })),
    exports: program.body.flatMap((node) => exported(node).map((one) => ({ ...one, line: lineOf(node.start) }))),
    shown: program.body.flatMap((node) => (node.type === 'ExportNamedDeclaration' ? shownTypes(node) : [])),
    strings,
    comments: comments.map(({ start, end }) => ({ start, end })),
  };
}

/** Returns every module that a source text asks for, as `readModule` does. */
export const importsOf = (source, file) => readModule(source, file).imports;
