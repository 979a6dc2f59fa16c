import { phpNumber } from '#shared/json/php.ts';
import type { Value } from './value.ts';

/** Characters of a text that are written as `\uXXXX`, beside those that JSON demands. */
export interface Escapes {
  readonly slash: boolean;
  /** Returns how a UTF-16 unit from U+007F up is written; null: as it is. */
  readonly beyond: (unit: number) => string | null;
  /** Returns how a control character without an escape of its own is written. */
  readonly control: (unit: number) => string;
  /** Other characters, with what stands for each. */
  readonly others: ReadonlyMap<string, string>;
}

/** White space between the tokens. */
export interface Layout {
  readonly colon: string;
  readonly comma: string;
  /** One level of indentation; null: all on one line. */
  readonly indent: string | null;
  readonly lineEnd: string;
  /** Arrays stay on one line, as Jackson writes them. */
  readonly flatArrays: boolean;
  /** Writes a list or an object without anything in it; `margin` is its own indentation. */
  readonly emptyArray: (margin: string) => string;
  readonly emptyObject: (margin: string) => string;
}

export interface Style {
  readonly number: (text: string) => string;
  readonly escapes: Escapes;
  readonly layout: Layout;
}

export const compact: Layout = {
  colon: ':',
  comma: ',',
  indent: null,
  lineEnd: '\n',
  flatArrays: false,
  emptyArray: () => '[]',
  emptyObject: () => '{}',
};

/** PHP with JSON_UNESCAPED_SLASHES, which is the rule. */
export const ruleStyle: Style = {
  number: (text) => phpNumber(text) ?? text,
  escapes: { slash: false, beyond: (unit) => (unit < 0x80 ? null : unicodeUnit(unit)), control: unicodeUnit, others: new Map() },
  layout: compact,
};

/** Writes a value as JSON. */
export function write(value: Value, style: Style): string {
  return writeAt(value, style, '');
}

function writeAt(value: Value, style: Style, margin: string): string {
  switch (value.kind) {
    case 'string':
      return writeString(value.text, style.escapes);
    case 'number':
      return style.number(value.text);
    case 'word':
      return value.text;
    case 'array':
      return writeArray(value.items, style, margin);
    case 'object': {
      const { layout } = style;
      if (value.members.length === 0) return layout.emptyObject(margin);
      const inner = margin + (layout.indent ?? '');
      const parts = value.members.map(
        (member) => writeString(member.name, style.escapes) + layout.colon + writeAt(member.value, style, inner),
      );
      return enclose('{', parts, '}', layout, margin);
    }
  }
}

function writeArray(items: readonly Value[], style: Style, margin: string): string {
  const { layout } = style;
  if (items.length === 0) return layout.emptyArray(margin);
  if (layout.flatArrays) return `[ ${items.map((item) => writeAt(item, style, margin)).join(', ')} ]`;
  const inner = margin + (layout.indent ?? '');
  return enclose(
    '[',
    items.map((item) => writeAt(item, style, inner)),
    ']',
    layout,
    margin,
  );
}

function enclose(open: string, parts: readonly string[], close: string, layout: Layout, margin: string): string {
  if (layout.indent === null) return open + parts.join(layout.comma) + close;
  const line = `${layout.lineEnd}${margin}${layout.indent}`;
  return `${open}${line}${parts.join(`,${line}`)}${layout.lineEnd}${margin}${close}`;
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** UTF-16 units that some style writes in another way. */
const special = /["'\\/<>&=+`]|[^ -~]/g;

/** Writes a text with its quotes. */
export function writeString(text: string, escapes: Escapes): string {
  return `"${text.replace(special, (char) => writeUnit(char, escapes))}"`;
}

function writeUnit(char: string, { slash, beyond, control, others }: Escapes): string {
  const other = others.get(char) ?? short[char];
  if (other !== undefined) return other;
  if (char === '/') return slash ? '\\/' : char;
  const unit = char.charCodeAt(0);
  if (unit < 0x20) return control(unit);
  return unit < 0x7f ? char : (beyond(unit) ?? char);
}

/** Writes a UTF-16 unit as `\uXXXX`, in lower case. */
export function unicodeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
