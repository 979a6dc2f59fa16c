/** One part's view of its store: its own members, and those of the parts that it names. */
export interface StorePart<T> {
  readonly getState: () => T;
  readonly setState: (change: Partial<T> | ((state: T) => Partial<T>)) => void;
}
