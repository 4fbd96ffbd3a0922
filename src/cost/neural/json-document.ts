import { type PlacedDocument, readDocument } from "../../instance/document.js";

/**
 * JSON as plain values with their places. It is parsed as JSON, which is many times faster than YAML; its places are looked up
 * when the first is asked for, and text that is no JSON is read as YAML, which finds the error. Throws `InputError`.
 */
export function jsonDocument(text: string, file: string): PlacedDocument {
  let read: PlacedDocument | undefined;
  const document = () => {
    read ??= readDocument(text, file);
    return read;
  };
  return {
    file,
    value: parsed(text) ?? document().value,
    placeOf: (path) => document().placeOf(path),
    placeOfKey: (path) => document().placeOfKey(path),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
