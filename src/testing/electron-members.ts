import path from 'node:path';
import {
  isArrowFunction,
  isAsExpression,
  isBindingElement,
  isCallExpression,
  isElementAccessExpression,
  isFunctionExpression,
  isIdentifier,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isSpreadAssignment,
  isStringLiteral,
  isVariableDeclaration,
  type Expression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, SignatureKind, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync';
import { ElectronTypings, textOf } from './electron-typings.ts';

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
  readonly #electron: ElectronTypings;
  #file = '';
  #source: SourceFile | null = null;

  constructor(project: Project, root: string) {
    this.#checker = project.checker;
    this.#electron = new ElectronTypings(project, root);
  }

  read(source: SourceFile, file: string): void {
    this.#file = file;
    this.#source = source;
    this.#visit(source);
  }

  #visit(node: Node): void {
    if (isPropertyAccessExpression(node)) this.#access(node.expression, node.name, node.parent);
    if (isElementAccessExpression(node) && isStringLiteral(node.argumentExpression))
      this.#propertyOf(this.#electron.typeOf(node.expression), node.argumentExpression.text, node, false);
    if (isBindingElement(node)) {
      const name = node.propertyName ?? node.name;
      if (name !== undefined && isIdentifier(name)) this.#propertyOf(this.#electron.typeOf(node.parent), name.text, node, false);
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
      const type = this.#electron.typeOf(object);
      const known = type?.getSymbol();
      if (known !== undefined && this.#electron.isElectrons(known))
        this.#fault(name, `${known.name} has no ${textOf(name).trim()}`);
      return;
    }
    if (!this.#electron.isElectrons(symbol)) return;
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
    return this.#electron
      .partsOf(this.#electron.typeOf(node))
      .flatMap((part) => (part.isStringLiteralType() ? [part.value] : []));
  }

  /** Returns whether its overloads name events; `ipcRenderer.on` takes any channel. */
  #hasEvents(symbol: Symbol): boolean {
    return symbol.declarations.length > 1;
  }

  #event(symbol: Symbol, event: string, at: Node): void {
    const member = `${this.#electron.ownerOf(symbol)}.on('${event}')`;
    // One overload for each event; only those of `on` have a comment.
    const owner = this.#electron.declarationOf(symbol);
    const overloads = owner === undefined ? [] : textOf(owner).split(/^(?= {4}\/\*\*)/m);
    const found = overloads.find((text) => text.includes(`    on(event: '${event}'`));
    if (found === undefined) this.#fault(at, `${member} is not in Electron's typings`);
    else if (/@deprecated/.test(found.slice(0, found.indexOf('on(event:')))) this.#fault(at, `${member} is deprecated`);
    this.#use(member);
  }

  #construction(expression: Node): void {
    const type = this.#electron.typeOf(expression)?.getSymbol();
    if (type !== undefined && this.#electron.isElectrons(type)) this.#use(`new ${type.name}`);
  }

  /** Reports a parameter of a listener that Electron calls deprecated. */
  #listener(node: Expression & { readonly parameters: readonly Node[] }): void {
    const [signature] = this.#electron
      .partsOf(this.#checker.getContextualType(node))
      .flatMap((type) => this.#checker.getSignaturesOfType(type, SignatureKind.Call));
    const parameters = signature?.getParameters() ?? [];
    node.parameters.forEach((parameter, at) => {
      const promised = parameters[at];
      if (promised !== undefined && this.#electron.isElectrons(promised) && this.#electron.isDeprecated(promised))
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
    const given = this.#electron.typeOf(value);
    if (wanted === undefined || given === undefined) return;
    const made = this.#electron.partsOf(given).map((part) => part.getSymbol());
    if (made.some((symbol) => symbol !== undefined && this.#electron.isElectrons(symbol))) this.#smaller(given, wanted, value);
    else if (this.#electron.partsOf(wanted).some((part) => this.#electron.isElectronsType(part)))
      this.#options(given, wanted, value);
  }

  #options(given: Type, wanted: Type, at: Node): void {
    for (const property of this.#electron.ownPropertiesOf(given)) {
      const found = this.#propertyOf(wanted, property.name, at, true);
      const type = this.#checker.getTypeOfSymbol(property);
      const inner = found === undefined ? undefined : this.#checker.getTypeOfSymbol(found);
      if (type !== undefined && inner !== undefined) this.#options(type, inner, at);
    }
  }

  #smaller(given: Type, wanted: Type, at: Node): void {
    for (const property of this.#electron.ownPropertiesOf(wanted)) {
      const found = this.#electron.find(given, property.name);
      if (found === undefined || !this.#electron.isElectrons(found)) continue;
      if (!listening.has(property.name)) {
        this.#note(found, at);
        continue;
      }
      const type = this.#checker.getTypeOfSymbol(property);
      const signatures = type === undefined ? [] : this.#checker.getSignaturesOfType(type, SignatureKind.Call);
      for (const signature of signatures) {
        const [event] = signature.getParameters();
        const name = event === undefined ? undefined : this.#checker.getTypeOfSymbol(event);
        for (const part of this.#electron.partsOf(name)) if (part.isStringLiteralType()) this.#event(found, part.value, at);
      }
    }
  }

  #literal(node: Expression & { readonly properties: readonly Node[] }): void {
    const wanted = this.#checker.getContextualType(node);
    if (wanted === undefined || !this.#electron.partsOf(wanted).some((part) => this.#electron.isElectronsType(part))) return;
    for (const property of node.properties) {
      const name = (property as { name?: Node }).name;
      if (isSpreadAssignment(property)) {
        const spread = this.#electron.typeOf(property.expression);
        if (spread !== undefined) this.#options(spread, wanted, property);
      } else if (name !== undefined && (isIdentifier(name) || isStringLiteral(name)))
        this.#propertyOf(wanted, name.text, property, true);
      else this.#fault(property, 'an option whose name is not written out');
    }
  }

  /** Notes the use of a property, and reports one that has to be Electron's and is not. */
  #propertyOf(type: Type | undefined, name: string, at: Node, isOption: boolean): Symbol | undefined {
    const found = this.#electron.find(type, name, isOption);
    if (found !== undefined && this.#electron.isElectrons(found)) this.#note(found, at);
    else if (
      found === undefined &&
      isOption &&
      type !== undefined &&
      this.#electron.partsOf(type).every((part) => this.#electron.isClosed(part))
    )
      this.#fault(at, `${this.#checker.typeToString(type)} has no ${name}`);
    return found;
  }

  #note(symbol: Symbol, at: Node): void {
    const owner = this.#electron.ownerOf(symbol);
    if (owner === null) return;
    const member = `${owner}.${symbol.name}`;
    if (this.#electron.isDeprecated(symbol)) this.#fault(at, `${member} is deprecated`);
    this.#use(member);
  }

  #use(member: string): void {
    this.used.set(member, (this.used.get(member) ?? new Set()).add(this.#file));
  }

  #fault(at: Node, what: string): void {
    const line = this.#source?.text.slice(0, at.end).split('\n').length ?? 0;
    this.faults.push(`${this.#file}:${line}: ${what}`);
  }
}
