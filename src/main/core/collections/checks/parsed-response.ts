import { describeSyntaxError, parseJson, type JsonNode } from '#shared/json/parse.ts';
import { lookUp, pointerSteps, pointerTo } from '#shared/json/pointer.ts';
import { valueText } from '#shared/json/values.ts';
import type { ReadJsonPath } from './json-path.ts';
import type { TimeLimit } from './time-limit.ts';

/** A text, or a sentence that says why there is none. */
export type TextResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** Result of a path: nothing, one value or several; or a sentence that says why it cannot be used. */
type Found =
  | {
      readonly ok: true;
      readonly nodes: readonly JsonNode[];
      /** True if the path may find several. */
      readonly several: boolean;
      /** A sentence about what is there instead, if nothing is found. */
      readonly absence: string;
    }
  | { readonly ok: false; readonly message: string };

/** The body of a response for checks and variables. It is read once, at the first question. */
export interface ParsedResponse {
  /** Time limit for everything in it that may take long. */
  readonly timeLimit: TimeLimit;
  /** Finds values by a JSON Pointer (empty or with / first) or a JSONPath. */
  find(path: string): Found;
  /** Returns the text of the one value at a path, with every digit. */
  take(path: string): TextResult;
  textOf(node: JsonNode): string;
  /** Returns the JSON Pointer of a value that was found. */
  placeOf(node: JsonNode): string;
}

/** Message if regular expressions used up the time for one response; the remaining checks are not judged. */
export const tooSlow =
  'The response was not compared: the regular expressions took more than 1 second in all, or too much memory. Simplify them.';

/** `truncated`: the body was truncated, and nothing in it can be read. `unread`: why nobody reads it. */
export function createParsedResponse(
  text: string,
  { truncated, unread }: { readonly truncated: boolean; readonly unread: string | null },
  timeLimit: TimeLimit,
  readJsonPath: ReadJsonPath,
): ParsedResponse {
  let read: ReturnType<typeof parseJson> | null = null;

  function rootOf(): { readonly ok: true; readonly root: JsonNode } | { readonly ok: false; readonly message: string } {
    if (unread !== null) return { ok: false, message: unread };
    if (truncated) {
      return {
        ok: false,
        message:
          "Only the beginning of the response was recorded, so nothing in it can be read. If the environment's limit cut it, raise the limit.",
      };
    }
    if (text.trim() === '') return { ok: false, message: 'The response is empty.' };
    read ??= parseJson(text);
    return read.ok ? read : { ok: false, message: `The response is not JSON. ${describeSyntaxError(read.error)}.` };
  }

  function find(path: string): Found {
    const document = rootOf();
    if (!document.ok) return document;
    const { root } = document;
    return path.startsWith('$') ? findByJsonPath(root, path) : findByPointer(root, path);
  }

  function findByPointer(root: JsonNode, pointer: string): Found {
    const steps = pointerSteps(pointer);
    if (!steps.ok) return steps;
    const result = lookUp(root, steps.steps);
    return result.ok
      ? { ok: true, nodes: [result.node], several: false, absence: '' }
      : { ok: true, nodes: [], several: false, absence: result.message };
  }

  function findByJsonPath(root: JsonNode, text: string): Found {
    const path = readJsonPath(text);
    if (!path.ok) return path;
    const { steps, matches } = path.path;
    const timed = matches ? timeLimit.within(() => path.path.find(root)) : { value: path.path.find(root) };
    if (timed === null) return { ok: false, message: tooSlow };
    const found = timed.value;
    if (!found.ok) return found;
    const instead = steps === null ? null : lookUp(root, steps);
    const absence = instead !== null && !instead.ok ? instead.message : 'Nothing in the response matches.';
    return { ok: true, nodes: found.nodes, several: steps === null, absence };
  }

  const placeOf = (node: JsonNode) => {
    const document = rootOf();
    return document.ok ? pointerTo(document.root, node) : '';
  };

  return {
    timeLimit,
    find,
    take(path) {
      const found = find(path);
      if (!found.ok) return found;
      const [node, ...others] = found.nodes;
      if (node === undefined) return { ok: false, message: `${path} finds no value. ${found.absence}` };
      if (others.length > 0) {
        const places = found.nodes.slice(0, 3).map(placeOf).join(', ');
        return {
          ok: false,
          message: `${path} finds ${found.nodes.length} values (${places}${others.length > 2 ? ', …' : ''}), but a variable holds one. Narrow it.`,
        };
      }
      return { ok: true, text: valueText(text, node) };
    },
    textOf: (node) => valueText(text, node),
    placeOf,
  };
}
