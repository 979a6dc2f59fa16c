import { pointerStep } from '../json/pointer.ts';
import { shown } from './findings.ts';
import type { FindingList, Rule } from './findings.ts';
import type { Finding } from '../model/finding.ts';
import type { JsonNode } from '../json/parse.ts';

/** A position in the text and in the document. `group` is the path without positions in arrays. */
export interface Spot {
  readonly path: string;
  readonly group: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the spot of a top-level field's value. */
export function fieldSpot(name: string, node: { readonly start: number; readonly end: number }): Spot {
  const path = pointerStep(name);
  return { path, group: path, start: node.start, end: node.end };
}

/** Returns the spot of an item of a top-level array. */
export function itemSpot(name: string, index: number, node: { readonly start: number; readonly end: number }): Spot {
  const list = pointerStep(name);
  return { path: `${list}/${index}`, group: `${list}/*`, start: node.start, end: node.end };
}

/** Adds one finding at a spot. */
export function report(list: FindingList, severity: Finding['severity'], rule: Rule, spot: Spot, message: string): void {
  const { path, group, start, end } = spot;
  list.add(rule, group, () => ({ severity, path, message, start, end }));
}

/** Names the kind of a JSON value. */
export function describeNode(node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return `the string "${shown(node.value)}"`;
    case 'number':
      return `the number ${shown(node.text)}`;
    case 'array':
      return 'an array';
    case 'object':
      return 'an object';
    case 'true':
    case 'false':
    case 'null':
      return node.kind;
  }
}
