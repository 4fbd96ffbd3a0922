import { Document, visit } from "yaml";
import { writePlan } from "../plan-file/write-plan.js";

/** Maps and lists of up to so many characters stand on one line. */
const LINE = 200;

/** The text of an instance file. Numbers are written so that they are read as the same doubles. */
export function instanceText(instance: object, format: "yaml" | "json"): string {
  return format === "json" ? writePlan(instance) : yamlText(instance);
}

function yamlText(instance: object): string {
  const document = new Document(instance, { version: "1.2", schema: "core" });
  visit(document, {
    Collection: (_key, node) => {
      // What is inside a line needs no look.
      if (node === document.contents || JSON.stringify(node).length > LINE) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
