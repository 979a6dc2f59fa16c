/** A value that is there, or comes later. What is there is used in the same turn of the event loop, so that nothing happens between. */
export type Soon<Value> = Value | Promise<Value>;

export function whenThere<Value, Used>(value: Soon<Value>, then: (value: Value) => Used): Soon<Used> {
  return value instanceof Promise ? value.then(then) : then(value);
}
