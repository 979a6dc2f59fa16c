import { EventEmitter } from 'node:events';
import { membersOf } from './typings.ts';

/** Names that Node, Playwright and the inspector look for on any object. */
const looked = new Set(['then', 'toJSON', 'domain', 'asymmetricMatch', 'nodeType', 'tagName', '$$typeof', 'splice', 'inspect']);

/** Returns the object, except that a name it does not have throws instead of being undefined: a gap of the double must be loud. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, key, receiver): unknown {
      if (typeof key === 'string' && !(key in object) && !looked.has(key))
        throw new Error(`The electron double does not have ${name}.${key}. Add it as Electron documents it.`);
      return Reflect.get(object, key, receiver);
    },
  });
}

/** The base of every doubled class: an event emitter whose missing members throw. */
export class StrictEmitter extends EventEmitter {}
// Last in the prototype chain, so that a name which no class has ends there.
Object.setPrototypeOf(StrictEmitter.prototype, strict('(a member)', EventEmitter.prototype));

/** Refuses what Electron would ignore silently: an option that it does not document, and one that is not doubled. */
export function onlyDoubled(name: string, given: object, doubled: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (!membersOf(name).has(key)) throw new Error(`Electron's typings do not have ${name}.${key}.`);
    if (!doubled.includes(key))
      throw new Error(`The electron double does not have ${name}.${key}. Add it as Electron documents it.`);
  }
}

/** Members that can still be used on an object that is gone: Electron keeps them in JavaScript. */
const outliving = ['constructor', 'isDestroyed', 'on', 'off', 'once', 'addListener', 'removeListener'];

/** Makes every member of a class of Electron's throw on an object whose native half is gone, as Electron's bindings do. */
export function markDestroyed(object: object, name: string, kept: readonly string[] = []): void {
  for (const member of membersOf(name)) {
    if (outliving.includes(member) || kept.includes(member)) continue;
    Object.defineProperty(object, member, { configurable: true, get: throwDestroyed });
  }
}

/** Throws the error of each of them. */
export function throwDestroyed(): never {
  throw new TypeError('Object has been destroyed');
}

/** An event with `preventDefault`, as Electron hands it to listeners. */
export interface Preventable {
  defaultPrevented: boolean;
  preventDefault(): void;
}

/** Creates such an event with further fields. */
export function preventable<T extends object>(fields: T): T & Preventable {
  return {
    ...fields,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}
