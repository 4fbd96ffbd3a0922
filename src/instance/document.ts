import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import { InputError, type Place } from "../errors/input-error.js";
import { hasRepeatedKeys, nestedTooDeeply, parseJson, placeInJson } from "../input/json.js";
import { MAX_YAML_CHARACTERS, mebibytes } from "../input/limits.js";

/** Where a value sits in a document: keys of maps and indices of lists, from the root. */
export type Path = readonly (string | number)[];

/** A YAML 1.2 (or JSON) text as plain values that remember where they were written. */
export interface PlacedDocument {
  readonly file: string;
  readonly value: unknown;
  /** The place of the value at `path`; where nothing is written there, of the nearest map or list around it. */
  placeOf(path: Path): Place;
  /** The path as the file has it, where the value is a part of the file's, put together anew. */
  pathOf?(path: Path): Path;
  /** The text from the value at `path` to the end of its line. */
  textAt(path: Path): string;
  /** The place of the key that ends `path`; without such a key, as {@link placeOf}. */
  placeOfKey(path: Path): Place;
}

/**
 * Reads one YAML document. JSON, which is YAML, is parsed as such: many times faster, and of any size that is read; its
 * places are looked up when they are asked for. `text` begins in `firstLine` of its file.
 *
 * Throws {@link InputError} with the place of the first error of syntax, and for more than src/input/limits.ts allows.
 */
export function readDocument(text: string, file: string, firstLine = 1): PlacedDocument {
  const moved = ({ line, column }: Place): Place => ({ line: line + firstLine - 1, column });
  const value = plainJson(text, file);
  const read = value === undefined ? yamlDocument(text, file, moved) : jsonDocument(text, file, value);
  return {
    ...read,
    placeOf: (path) => moved(read.placeOf(path)),
    placeOfKey: (path) => moved(read.placeOfKey(path)),
    textAt: (path) => {
      const { line, column } = read.placeOf(path);
      return (text.split("\n")[line - 1] ?? "").slice(column - 1);
    },
  };
}

type Placed = Omit<PlacedDocument, "textAt">;

/** `undefined` for what is no JSON, and where a key is given twice: YAML finds the place of either. */
function plainJson(text: string, file: string): unknown {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return undefined;
  try {
    const value = parseJson(text, file);
    return hasRepeatedKeys(text, value) ? undefined : value;
  } catch (error) {
    if (error instanceof InputError) throw error;
    return undefined;
  }
}

function jsonDocument(text: string, file: string, value: unknown): Placed {
  return {
    file,
    value,
    placeOf: (path) => placeInJson(text, path),
    placeOfKey: (path) => placeInJson(text, path, true),
  };
}

function yamlDocument(text: string, file: string, moved: (place: Place) => Place): Placed {
  if (text.length > MAX_YAML_CHARACTERS) {
    const expected = `expected YAML of at most ${mebibytes(MAX_YAML_CHARACTERS)}`;
    throw new InputError(`${expected}, received ${text.length} characters; write it as JSON, or shorten it`, file);
  }
  try {
    return place(text, file, moved);
  } catch (error) {
    // Thrown by the recursion into lists within lists: a RangeError, or Firefox's own kind.
    if (error instanceof InputError || !/call stack|recursion/i.test(String(error))) throw error;
    throw nestedTooDeeply(file);
  }
}

function place(text: string, file: string, moved: (place: Place) => Place): Placed {
  const lines = new LineCounter();
  // "core" is YAML 1.2's own schema: no `yes`, no sexagesimals, no merge keys.
  const document = parseDocument(text, { lineCounter: lines, version: "1.2", schema: "core", prettyErrors: false });
  const placeAtOffset = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refuse = (said: string, offset: number): never => {
    throw new InputError(said, file, moved(placeAtOffset(offset)));
  };
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem?.code === "MULTIPLE_DOCS") {
    refuse("expected one document, received another after ---; keep one instance per file", problem.pos[0]);
  }
  if (problem) {
    // The library reports the end of the stack like an error of syntax.
    if (/call stack|recursion/i.test(problem.message)) throw nestedTooDeeply(file);
    refuse(`this is not YAML 1.2: ${problem.message.split("\n")[0]}; correct the syntax here`, problem.pos[0]);
  }
  // In the order of the text. `Alias.resolve` walks the whole document for each alias.
  const anchors = new Set<string>();
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
      } else if (!anchors.has(node.source)) {
        refuse(`expected the anchor &${node.source} before this alias, received none; add it`, startOf(node) ?? 0);
      }
    },
  });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 1000 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    refuse("expected plain values, received aliases that multiply without end; write them out", 0);
  }
  const resolve = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  const locate = (path: Path, wantKey: boolean): Place => {
    let node: unknown = document.contents;
    let offset = startOf(node) ?? 0;
    for (const [depth, step] of path.entries()) {
      const container = resolve(node);
      const isLast = depth === path.length - 1;
      if (isMap(container)) {
        const pair = container.items.find(
          (item) => String(isScalar(item.key) ? item.key.value : item.key) === `${step}`,
        );
        if (!pair) break;
        offset = startOf(pair.key) ?? offset;
        node = pair.value;
        if (isLast && wantKey) break;
      } else if (isSeq(container) && typeof step === "number") {
        node = container.items[step];
      } else {
        break;
      }
      offset = startOf(node) ?? offset;
    }
    return placeAtOffset(offset);
  };
  return {
    file,
    value,
    placeOf: (path) => locate(path, false),
    placeOfKey: (path) => locate(path, true),
  };
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
