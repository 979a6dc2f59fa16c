import path from 'node:path';
import { isClassDeclaration, isInterfaceDeclaration, isTypeAliasDeclaration, type Node } from 'typescript/unstable/ast';
import { SymbolFlags, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync';

const typings = 'node_modules/electron/electron.d.ts';

/** Says what is Electron's, by its typings and TypeScript's own checker. */
export class ElectronTypings {
  readonly #checker: Checker;
  readonly #project: Project;
  readonly #typings: string;

  constructor(project: Project, root: string) {
    this.#project = project;
    this.#checker = project.checker;
    this.#typings = path.join(root, typings).toLowerCase();
  }

  /** Returns the property of a type. An option is never that of a class: what is written out is not an instance. */
  find(type: Type | undefined, name: string, isOption = false): Symbol | undefined {
    for (const part of this.partsOf(type)) {
      const declared = part.getSymbol();
      if (isOption && declared !== undefined && declared.flags & SymbolFlags.Class) continue;
      const found = this.#checker.getPropertyOfType(part, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the name of the type that declares it; null for what is exported by the module itself. */
  ownerOf(symbol: Symbol): string | null {
    const owner = this.declarationOf(symbol);
    return owner === undefined ? null : textOf((owner as Node & { readonly name: Node }).name).trim();
  }

  /** Returns the class, interface or type that declares it: `Pick` and `Readonly` hide it from the symbol itself. */
  declarationOf(symbol: Symbol): Node | undefined {
    let node = symbol.declarations.find((handle) => this.#isTypings(handle.path))?.resolve(this.#project)?.parent;
    while (node !== undefined && !isClassDeclaration(node) && !isInterfaceDeclaration(node) && !isTypeAliasDeclaration(node))
      node = node.parent;
    return node;
  }

  #isTypings(file: string): boolean {
    return file.toLowerCase() === this.#typings;
  }

  isElectrons(symbol: Symbol): boolean {
    // Not what Electron adds to Node's own.
    return symbol.declarations.length > 0 && symbol.declarations.every((handle) => this.#isTypings(handle.path));
  }

  isElectronsType(type: Type): boolean {
    const symbol = type.getSymbol();
    if (symbol !== undefined && this.isElectrons(symbol)) return true;
    return type.isObjectType() && this.#checker.getPropertiesOfType(type).some((property) => this.isElectrons(property));
  }

  /** Returns whether the type is an object of named fields only. */
  isClosed(type: Type): boolean {
    return type.isObjectType() && this.#checker.getIndexInfosOfType(type).length === 0;
  }

  /** Returns the properties that our own files declare. */
  ownPropertiesOf(type: Type): readonly Symbol[] {
    const ours = (symbol: Symbol) => symbol.declarations.some(({ path: file }) => !file.includes('/node_modules/'));
    return this.partsOf(type)
      .filter((part) => part.isObjectType())
      .flatMap((part) => this.#checker.getPropertiesOfType(part))
      .filter(ours);
  }

  isDeprecated(symbol: Symbol): boolean {
    return this.#checker.getJsDocTagsOfSymbol(symbol).some(({ name }) => name === 'deprecated');
  }

  typeOf(node: Node): Type | undefined {
    return this.#checker.getTypeAtLocation(node);
  }

  /** Returns the parts of a union or intersection, without what is not an object at all. */
  partsOf(type: Type | undefined): readonly Type[] {
    if (type === undefined) return [];
    const parts = type.isUnionType() || type.isIntersectionType() ? (type.getTypes() ?? []) : [type];
    return parts.filter((part) => !part.isIntrinsicType());
  }
}

/** Returns the text of a node with what stands before it. */
export function textOf(node: Node | undefined): string {
  return node === undefined ? '' : node.getSourceFile().text.slice(node.pos, node.end);
}
