import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { InputError } from "../../errors/input-error.js";
import { type Finding, throwFindings } from "../../instance/findings.js";
import { type DataType, ELEMENT_BYTES } from "../../instance/instance.js";
import { resolveBeside } from "../../instance/load.js";
import { notNegative, positiveInteger, text } from "../../instance/schema/fields.js";
import { findingsOfIssues } from "../../instance/schema/issues.js";
import { type CostData, FEWEST_SETS } from "./cost-data.js";
import { BINS, type NetworkTable } from "./features.js";
import { jsonDocument } from "./json-document.js";
import { readTables, type TableShape } from "./read-tables.js";

/** A key `dataType`: fp32 where it is not there. */
export const dataType = z
  .enum(Object.keys(ELEMENT_BYTES) as [DataType, ...DataType[]])
  .default("fp32")
  .describe("type of an element");

const dim = positiveInteger("elements per row");

const listedTable = z.strictObject({
  rows: positiveInteger("rows of the table"),
  dim,
  dataType,
  poolingFactor: notNegative("mean look-ups per sample"),
  accessBins: z
    .array(notNegative("share of distinct indices"))
    .length(BINS)
    .describe("AutoShard's 17 shares of distinct indices"),
});

const tableFile = z
  .strictObject({
    file: text("CSV file of the tables"),
    dims: z.array(dim).min(1).describe("widths: the tables once for each"),
    dataType,
  })
  .describe("file, dims, dataType; or a list of tables");

const schema = z.strictObject({
  shardproof: z.literal(1).describe("1, the version of the format"),
  kind: z.literal("measured-costs").describe("measured-costs"),
  source: z.string().default("").describe("where the numbers come from"),
  tables: z.union([z.array(listedTable).min(1), tableFile]).describe("the tables, or the file that has them"),
  sets: z
    .array(
      z
        .strictObject({
          cost: notNegative("milliseconds of the set"),
          tables: z.array(z.int().min(0).describe("number of a table, from 0")).min(1),
        })
        .describe("cost and tables"),
    )
    .min(FEWEST_SETS)
    .describe(`at least ${FEWEST_SETS} sets of tables with their costs`),
});

/**
 * Reads a file of measured costs, and the list of tables that it names. Throws `InputError` when a file cannot be read or is
 * not of the format that instances/costs/README.md describes.
 */
export async function loadCostData(path: string): Promise<CostData> {
  const source = await readText(path);
  const document = jsonDocument(source, path);
  const parsed = schema.safeParse(document.value, { reportInput: true });
  if (!parsed.success) {
    throwFindings(document, findingsOfIssues(parsed.error.issues, schema));
    throw parsed.error;
  }
  const { data } = parsed;
  const hash = createHash("sha256").update(source);
  let tables: readonly NetworkTable[];
  if (Array.isArray(data.tables)) {
    tables = data.tables.map(({ dataType: type, ...table }) => ({ ...table, elementBytes: ELEMENT_BYTES[type] }));
  } else {
    const { file, dims, dataType: type } = data.tables;
    const listed = resolveBeside(path, file);
    const list = await readText(listed);
    hash.update(list);
    tables = inWidths(readTables(list, listed), dims, ELEMENT_BYTES[type]);
  }
  throwFindings(document, unknownTables(data.sets, tables.length));
  return { file: path, sha256: hash.digest("hex"), source: data.source, tables, sets: data.sets };
}

/** Table t of n in the width dims[d] is number d · n + t. */
function inWidths(shapes: readonly TableShape[], dims: readonly number[], elementBytes: number): NetworkTable[] {
  return dims.flatMap((width) => shapes.map((shape) => ({ ...shape, dim: width, elementBytes })));
}

function unknownTables(sets: readonly { readonly tables: readonly number[] }[], tables: number): Finding[] {
  return sets.flatMap((set, s) =>
    set.tables.flatMap((t, i): Finding[] => {
      if (t < tables) return [];
      const message = `expected the number of a table, from 0 to ${tables - 1}, received ${t}`;
      return [{ path: ["sets", s, "tables", i], message }];
    }),
  );
}

/** Throws `InputError` where the file cannot be read. */
export async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`expected a file that can be read, received ${error.code ?? error.message}`, path);
  });
}
