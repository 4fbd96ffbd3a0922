import { type PlacedDocument, readDocument } from "../instance/document.js";
import { hasRepeatedKeys } from "../plan/read-plan.js";

/**
 * A text that other programs wrote, usually JSON, as plain values with their places. JSON is parsed as such, which is many
 * times faster than YAML; its places are looked up when the first is asked for. All else, JSON with a key given twice
 * among it, is read as YAML, which finds the error. Throws `InputError` with the place of the first error of syntax.
 */
export function readJsonDocument(text: string, file: string): PlacedDocument {
  const value = plainJson(text);
  if (value === undefined) return readDocument(text, file);
  let read: PlacedDocument | undefined;
  const document = () => {
    read ??= readDocument(text, file);
    return read;
  };
  return {
    file,
    value,
    placeOf: (path) => document().placeOf(path),
    placeOfKey: (path) => document().placeOfKey(path),
  };
}

function plainJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasRepeatedKeys(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}
