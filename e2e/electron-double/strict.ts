import { EventEmitter } from 'node:events';

/** Names that Node, Playwright and the inspector look for on any object. */
const looked = new Set(['then', 'toJSON', 'domain', 'asymmetricMatch', 'nodeType', 'tagName', '$$typeof', 'splice', 'inspect']);

/** The object, except that a name it does not have throws instead of being undefined: a gap of the double must be loud. */
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

/** An event with `preventDefault`, as Electron hands it to listeners. */
export interface Preventable {
  defaultPrevented: boolean;
  preventDefault(): void;
}

/** Makes such an event with further fields. */
export function preventable<T extends object>(fields: T): T & Preventable {
  return {
    ...fields,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}
