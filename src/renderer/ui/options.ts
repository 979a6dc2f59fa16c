/** Returns the options of a choice by their labels, in the order written; one for each value of a closed set. */
export function optionsOf<V extends string>(
  labels: Readonly<Record<V, string>>,
): readonly { readonly value: V; readonly label: string }[] {
  return (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value] }));
}
