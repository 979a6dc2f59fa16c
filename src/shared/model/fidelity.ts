/**
 * Trust in the text of `data` of a pasted request. `exact`: the bytes that the program had. `reencoded`: a program wrote the values again, so that
 * order and types may hold and spaces and escapes do not. `lossy`: types or characters are lost, and Croupier completed them from the spec.
 */
export const fidelities = ['exact', 'reencoded', 'lossy'] as const;
export type Fidelity = (typeof fidelities)[number];
