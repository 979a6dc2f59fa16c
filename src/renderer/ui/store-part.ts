/** The view that one part of a store has of it: its own members, and those of the parts that it names. */
export interface StorePart<T> {
  readonly getState: () => T;
  readonly setState: (change: Partial<T> | ((state: T) => Partial<T>)) => void;
}
