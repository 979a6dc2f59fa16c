/** A text from the wire inside a sentence, shown in the code font with every character as it is. */
export interface Code {
  readonly code: string;
}

/** A sentence in parts. */
export type Words = readonly (string | Code)[];

/** Marks a text as one that travels on the wire. */
export function code(text: string): Code {
  return { code: text };
}

/** Writes a sentence: numbers get thousands separators; words and codes stay as they are. */
export function say(texts: TemplateStringsArray, ...values: readonly (string | number | Code | Words)[]): Words {
  const parts: (string | Code)[] = [];
  texts.forEach((text, at) => {
    if (text !== '') parts.push(text);
    const value = values[at];
    if (value === undefined || value === '') return;
    if (typeof value === 'number') parts.push(value.toLocaleString('en'));
    else if (typeof value === 'string' || 'code' in value) parts.push(value);
    else parts.push(...value);
  });
  return parts;
}

/** Returns a sentence as plain text; codes other than names and numbers stand in backticks. */
export function plainText(words: Words): string {
  return words
    .map((part) => (typeof part === 'string' ? part : /^[\w./-]+$/.test(part.code) ? part.code : `\`${part.code}\``))
    .join('');
}
