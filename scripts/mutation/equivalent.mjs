// Mutants that change nothing that anybody could see, with the reason. One that no source has any more is an error.

/** `line` is the source line, without the blanks around it; `change` is what the mutation test prints of a survivor. */
export const equivalent = [];
