import path from 'node:path';
import {
  isArrowFunction,
  isAsExpression,
  isBindingElement,
  isCallExpression,
  isClassDeclaration,
  isElementAccessExpression,
  isFunctionExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isSpreadAssignment,
  isStringLiteral,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  type Expression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, SignatureKind, SymbolFlags, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync';

/** The members of Electron that a folder uses, by Electron's typings. */
export interface ElectronMembers {
  /**
   * Each member as the typings name it (`App.quit`, `App.on('quit')`, `new BrowserWindow`, `WebPreferences.sandbox`) → the files
   * that use it.
   */
  readonly used: ReadonlyMap<string, ReadonlySet<string>>;
  /** Members that the typings do not have, or call deprecated: a file and a line each. */
  readonly faults: readonly string[];
}

const typings = 'node_modules/electron/electron.d.ts';
/** Methods that add and remove a listener; each event is one member, whichever of these names it. */
const listening = new Set(['on', 'once', 'off', 'addListener', 'removeListener']);

/**
 * Reads the members of Electron that the files of `folder` use. The checker is TypeScript's own: only it knows what a name refers
 * to behind `Pick`, destructuring, spreads and structural types. `changed` replaces the texts of files, by their paths below
 * `root`.
 */
export function readElectronMembers(
  root: string,
  folder: string,
  changed: Readonly<Record<string, string>> = {},
): ElectronMembers {
  const api = new API({ cwd: root, fs: { readFile: (name) => changed[path.relative(root, name)] } });
  try {
    const [project] = api.updateSnapshot({ openProjects: [path.join(root, 'src/main/tsconfig.json')] }).getProjects();
    if (project === undefined) throw new Error('There is no project.');
    const reader = new Reader(project, root);
    for (const name of project.program.getSourceFileNames()) {
      const file = path.relative(root, name);
      const source = file.startsWith(`${folder}/`) ? project.program.getSourceFile(name) : undefined;
      if (source !== undefined) reader.read(source, file);
    }
    return reader;
  } finally {
    api.close();
  }
}

class Reader implements ElectronMembers {
  readonly used = new Map<string, Set<string>>();
  readonly faults: string[] = [];
  readonly #checker: Checker;
  readonly #project: Project;
  readonly #typings: string;
  #file = '';
  #source: SourceFile | null = null;

  constructor(project: Project, root: string) {
    this.#project = project;
    this.#checker = project.checker;
    this.#typings = path.join(root, typings).toLowerCase();
  }

  read(source: SourceFile, file: string): void {
    this.#file = file;
    this.#source = source;
    this.#visit(source);
  }

  #visit(node: Node): void {
    if (isPropertyAccessExpression(node)) this.#access(node.expression, node.name, node.parent);
    if (isElementAccessExpression(node) && isStringLiteral(node.argumentExpression))
      this.#propertyOf(this.#typeOf(node.expression), node.argumentExpression.text, node, false);
    if (isBindingElement(node)) {
      const name = node.propertyName ?? node.name;
      if (name !== undefined && isIdentifier(name)) this.#propertyOf(this.#typeOf(node.parent), name.text, node, false);
    }
    if (isNewExpression(node)) this.#construction(node.expression);
    if (isCallExpression(node) || isNewExpression(node)) for (const given of node.arguments ?? []) this.#given(given);
    if (isReturnStatement(node) && node.expression !== undefined) this.#given(node.expression);
    if (isArrowFunction(node) || isFunctionExpression(node)) this.#listener(node);
    if (isArrowFunction(node)) this.#given(node.body as Expression);
    if (isVariableDeclaration(node) && node.initializer !== undefined) this.#given(node.initializer);
    if (isObjectLiteralExpression(node)) this.#literal(node);
    node.forEachChild((child) => this.#visit(child));
  }

  /** `contents.reload`, `app.on('quit', …)` */
  #access(object: Node, name: Node, call: Node): void {
    const symbol = this.#checker.getSymbolAtLocation(name);
    if (symbol === undefined) {
      const type = this.#typeOf(object);
      const known = type?.getSymbol();
      if (known !== undefined && this.#isElectrons(known)) this.#fault(name, `${known.name} has no ${textOf(name).trim()}`);
      return;
    }
    if (!this.#isElectrons(symbol)) return;
    const [event] = isCallExpression(call) ? call.arguments : [];
    if (!listening.has(symbol.name) || !this.#hasEvents(symbol)) return this.#note(symbol, name);
    // A union of names fits no overload, so a cast gives one of them.
    const named = event !== undefined && isAsExpression(event) ? event.expression : event;
    const names = named === undefined ? [] : this.#namesOf(named);
    if (names.length === 0) this.#fault(name, `${symbol.name} of an event without a name`);
    for (const one of names) this.#event(symbol, one, name);
  }

  #namesOf(node: Node): readonly string[] {
    if (isStringLiteral(node)) return [node.text];
    return this.#partsOf(this.#typeOf(node)).flatMap((part) => (part.isStringLiteralType() ? [part.value] : []));
  }

  /** Returns whether its overloads name events; `ipcRenderer.on` takes any channel. */
  #hasEvents(symbol: Symbol): boolean {
    return symbol.declarations.length > 1;
  }

  #event(symbol: Symbol, event: string, at: Node): void {
    const member = `${this.#ownerOf(symbol)}.on('${event}')`;
    // One overload for each event; only those of `on` have a comment.
    const owner = this.#declarationOf(symbol);
    const overloads = owner === undefined ? [] : textOf(owner).split(/^(?= {4}\/\*\*)/m);
    const found = overloads.find((text) => text.includes(`    on(event: '${event}'`));
    if (found === undefined) this.#fault(at, `${member} is not in Electron's typings`);
    else if (/@deprecated/.test(found.slice(0, found.indexOf('on(event:')))) this.#fault(at, `${member} is deprecated`);
    this.#use(member);
  }

  #construction(expression: Node): void {
    const type = this.#typeOf(expression)?.getSymbol();
    if (type !== undefined && this.#isElectrons(type)) this.#use(`new ${type.name}`);
  }

  /** Reports a parameter of a listener that Electron calls deprecated. */
  #listener(node: Expression & { readonly parameters: readonly Node[] }): void {
    const [signature] = this.#partsOf(this.#checker.getContextualType(node)).flatMap((type) =>
      this.#checker.getSignaturesOfType(type, SignatureKind.Call),
    );
    const parameters = signature?.getParameters() ?? [];
    node.parameters.forEach((parameter, at) => {
      const promised = parameters[at];
      if (promised !== undefined && this.#isElectrons(promised) && this.#isDeprecated(promised))
        this.#fault(parameter, `the parameter ${promised.name} is deprecated`);
    });
  }

  /**
   * Notes an object that was made elsewhere and is given to Electron, and an object of Electron's that is taken as a smaller type
   * of ours.
   */
  #given(value: Expression): void {
    if (isObjectLiteralExpression(value)) return;
    const wanted = this.#checker.getContextualType(value);
    const given = this.#typeOf(value);
    if (wanted === undefined || given === undefined) return;
    const made = this.#partsOf(given).map((part) => part.getSymbol());
    if (made.some((symbol) => symbol !== undefined && this.#isElectrons(symbol))) this.#smaller(given, wanted, value);
    else if (this.#partsOf(wanted).some((part) => this.#isElectronsType(part))) this.#options(given, wanted, value);
  }

  #options(given: Type, wanted: Type, at: Node): void {
    for (const property of this.#ownPropertiesOf(given)) {
      const found = this.#propertyOf(wanted, property.name, at, true);
      const type = this.#checker.getTypeOfSymbol(property);
      const inner = found === undefined ? undefined : this.#checker.getTypeOfSymbol(found);
      if (type !== undefined && inner !== undefined) this.#options(type, inner, at);
    }
  }

  #smaller(given: Type, wanted: Type, at: Node): void {
    for (const property of this.#ownPropertiesOf(wanted)) {
      const found = this.#find(given, property.name);
      if (found === undefined || !this.#isElectrons(found)) continue;
      if (!listening.has(property.name)) {
        this.#note(found, at);
        continue;
      }
      const type = this.#checker.getTypeOfSymbol(property);
      const signatures = type === undefined ? [] : this.#checker.getSignaturesOfType(type, SignatureKind.Call);
      for (const signature of signatures) {
        const [event] = signature.getParameters();
        const name = event === undefined ? undefined : this.#checker.getTypeOfSymbol(event);
        for (const part of this.#partsOf(name)) if (part.isStringLiteralType()) this.#event(found, part.value, at);
      }
    }
  }

  #literal(node: Expression & { readonly properties: readonly Node[] }): void {
    const wanted = this.#checker.getContextualType(node);
    if (wanted === undefined || !this.#partsOf(wanted).some((part) => this.#isElectronsType(part))) return;
    for (const property of node.properties) {
      const name = (property as { name?: Node }).name;
      if (isSpreadAssignment(property)) {
        const spread = this.#typeOf(property.expression);
        if (spread !== undefined) this.#options(spread, wanted, property);
      } else if (name !== undefined && (isIdentifier(name) || isStringLiteral(name)))
        this.#propertyOf(wanted, name.text, property, true);
      else this.#fault(property, 'an option whose name is not written out');
    }
  }

  /** Notes the use of a property, and reports one that has to be Electron's and is not. */
  #propertyOf(type: Type | undefined, name: string, at: Node, isOption: boolean): Symbol | undefined {
    const found = this.#find(type, name, isOption);
    if (found !== undefined && this.#isElectrons(found)) this.#note(found, at);
    else if (found === undefined && isOption && type !== undefined && this.#partsOf(type).every((part) => this.#isClosed(part)))
      this.#fault(at, `${this.#checker.typeToString(type)} has no ${name}`);
    return found;
  }

  /** Finds a property. An option is never that of a class: what is written out is not an instance. */
  #find(type: Type | undefined, name: string, isOption = false): Symbol | undefined {
    for (const part of this.#partsOf(type)) {
      const declared = part.getSymbol();
      if (isOption && declared !== undefined && declared.flags & SymbolFlags.Class) continue;
      const found = this.#checker.getPropertyOfType(part, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #note(symbol: Symbol, at: Node): void {
    const owner = this.#ownerOf(symbol);
    if (owner === null) return;
    const member = `${owner}.${symbol.name}`;
    if (this.#isDeprecated(symbol)) this.#fault(at, `${member} is deprecated`);
    this.#use(member);
  }

  #use(member: string): void {
    this.used.set(member, (this.used.get(member) ?? new Set()).add(this.#file));
  }

  #fault(at: Node, what: string): void {
    const line = this.#source?.text.slice(0, at.end).split('\n').length ?? 0;
    this.faults.push(`${this.#file}:${line}: ${what}`);
  }

  /** Returns the owner's name; null for an export of the module itself. */
  #ownerOf(symbol: Symbol): string | null {
    const owner = this.#declarationOf(symbol);
    return owner === undefined ? null : textOf((owner as Node & { readonly name: Node }).name).trim();
  }
  /** Returns the class, interface or type that declares it: `Pick` and `Readonly` hide it from the symbol itself. */
  #declarationOf(symbol: Symbol): Node | undefined {
    let node = symbol.declarations.find((handle) => this.#isTypings(handle.path))?.resolve(this.#project)?.parent;
    while (node !== undefined && !isClassDeclaration(node) && !isInterfaceDeclaration(node) && !isTypeAliasDeclaration(node))
      node = node.parent;
    return node;
  }

  #isTypings(file: string): boolean {
    return file.toLowerCase() === this.#typings;
  }
  #isElectrons(symbol: Symbol): boolean {
    // Not what Electron adds to Node's own.
    return symbol.declarations.length > 0 && symbol.declarations.every((handle) => this.#isTypings(handle.path));
  }
  #isElectronsType(type: Type): boolean {
    const symbol = type.getSymbol();
    if (symbol !== undefined && this.#isElectrons(symbol)) return true;
    return type.isObjectType() && this.#checker.getPropertiesOfType(type).some((property) => this.#isElectrons(property));
  }
  /** Returns whether it is an object of named fields only. */
  #isClosed(type: Type): boolean {
    return type.isObjectType() && this.#checker.getIndexInfosOfType(type).length === 0;
  }
  #ownPropertiesOf(type: Type): readonly Symbol[] {
    const ours = (symbol: Symbol) => symbol.declarations.some(({ path: file }) => !file.includes('/node_modules/'));
    return this.#partsOf(type)
      .filter((part) => part.isObjectType())
      .flatMap((part) => this.#checker.getPropertiesOfType(part))
      .filter(ours);
  }
  #isDeprecated(symbol: Symbol): boolean {
    return this.#checker.getJsDocTagsOfSymbol(symbol).some(({ name }) => name === 'deprecated');
  }
  #typeOf(node: Node): Type | undefined {
    return this.#checker.getTypeAtLocation(node);
  }
  /** Returns the parts of a type, without those that are not objects. */
  #partsOf(type: Type | undefined): readonly Type[] {
    if (type === undefined) return [];
    const parts = type.isUnionType() || type.isIntersectionType() ? (type.getTypes() ?? []) : [type];
    return parts.filter((part) => !part.isIntrinsicType());
  }
}

function textOf(node: Node | undefined): string {
  return node === undefined ? '' : node.getSourceFile().text.slice(node.pos, node.end);
}
