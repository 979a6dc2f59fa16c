// What Croupier's build asks of the language of Electron 45 and Electron 25 lacks: for its pages, its main process, its workers and agents.
'use strict';

function define(object, name, value) {
  if (!(name in object)) Object.defineProperty(object, name, { value, writable: true, configurable: true });
}

define(Promise, 'withResolvers', function withResolvers() {
  let settle;
  const promise = new this((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
});
define(URL, 'canParse', (text, base) => {
  try {
    return Boolean(new URL(text, base));
  } catch {
    return false;
  }
});
define(URL, 'parse', (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null));
for (const type of [Object, Map]) {
  define(type, 'groupBy', (items, keyOf) => {
    const groups = new Map();
    let index = 0;
    for (const item of items) {
      const key = keyOf(item, index++);
      groups.set(key, [...(groups.get(key) ?? []), item]);
    }
    return type === Map ? groups : Object.assign(Object.create(null), Object.fromEntries(groups));
  });
}
const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
define(String.prototype, 'isWellFormed', function isWellFormed() {
  return this.search(lone) < 0;
});
define(String.prototype, 'toWellFormed', function toWellFormed() {
  return this.replace(lone, '\ufffd');
});
define(Symbol, 'dispose', Symbol('Symbol.dispose'));
define(Symbol, 'asyncDispose', Symbol('Symbol.asyncDispose'));
define(AbortSignal, 'any', (signals) => {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal });
  }
  return controller.signal;
});
const bytesOf = (text, size, base) => Uint8Array.from(text.match(size) ?? [], (part) => Number.parseInt(part, base));
define(Uint8Array, 'fromHex', (text) => bytesOf(text, /../g, 16));
define(Uint8Array.prototype, 'toHex', function toHex() {
  return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('');
});
define(ArrayBuffer.prototype, 'transfer', function transfer() {
  return structuredClone(this, { transfer: [this] });
});
for (const type of [Array, Uint8Array]) {
  define(type.prototype, 'toSorted', function toSorted(compare) {
    return this.slice().sort(compare);
  });
  define(type.prototype, 'toReversed', function toReversed() {
    return this.slice().reverse();
  });
}
define(Array.prototype, 'toSpliced', function toSpliced(...values) {
  const copy = [...this];
  copy.splice(...values);
  return copy;
});

const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const lazily = {
  *map(items, work) {
    let index = 0;
    for (const item of items) yield work(item, index++);
  },
  *filter(items, work) {
    let index = 0;
    for (const item of items) if (work(item, index++)) yield item;
  },
  *flatMap(items, work) {
    let index = 0;
    for (const item of items) yield* work(item, index++);
  },
  *take(items, count) {
    if (count <= 0) return;
    let taken = 0;
    for (const item of items) {
      yield item;
      if (++taken >= count) return;
    }
  },
  *drop(items, count) {
    let dropped = 0;
    for (const item of items) if (dropped++ >= count) yield item;
  },
};
for (const [name, work] of Object.entries(lazily)) {
  define(iterators, name, function lazy(value) {
    return work(this, value);
  });
}
define(iterators, 'toArray', function toArray() {
  return [...this];
});
for (const name of ['some', 'every', 'find', 'forEach']) {
  define(iterators, name, function eager(work) {
    let index = 0;
    for (const item of this) {
      const said = Boolean(work(item, index++));
      if (name === 'find' && said) return item;
      if (said === (name === 'some') && (name === 'some' || name === 'every')) return said;
    }
    return { some: false, every: true }[name];
  });
}
define(iterators, 'reduce', function reduce(work, ...start) {
  return [...this].reduce(work, ...start);
});
define(
  globalThis,
  'Iterator',
  Object.assign(
    function Iterator() {
      return undefined;
    },
    { prototype: iterators, from: (items) => lazily.map(items, (item) => item) },
  ),
);
