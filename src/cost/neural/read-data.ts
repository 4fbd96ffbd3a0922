import { createHash } from "node:crypto";
import { z } from "zod";
import { InputError } from "../../errors/input-error.js";
import { decimalIn } from "../../input/decimal.js";
import { readText } from "../../input/files.js";
import { type DataType, ELEMENT_BYTES } from "../../instance/data-type.js";
import { type Path, type PlacedDocument, readDocument } from "../../instance/document.js";
import { type Finding, throwFindings } from "../../instance/findings.js";
import { resolveBeside } from "../../instance/load.js";
import { notNegative, positiveInteger, text } from "../../instance/schema/fields.js";
import { shaped } from "../../instance/schema/issues.js";
import { type CostData, FEWEST_SETS, type MeasuredSet } from "./cost-data.js";
import { BINS, type NetworkTable } from "./features.js";

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

const head = z.strictObject({
  shardproof: z.literal(1).describe("1, the version of the format"),
  kind: z.literal("measured-costs").describe("measured-costs"),
  source: z.string().default("").describe("where the numbers come from"),
  tables: z.union([z.array(listedTable).min(1), tableFile]).describe("the tables, or the file that has them"),
});

const measuredSet = z
  .strictObject({
    cost: notNegative("milliseconds of the set"),
    tables: z.array(z.int().min(0).describe("number of a table, from 0")).min(1),
  })
  .describe("cost and tables");

const schema = head.extend({
  sets: z.array(measuredSet).min(FEWEST_SETS).describe(`at least ${FEWEST_SETS} sets of tables with their costs`),
});

/**
 * Reads a file of measured costs, and the list of tables that it names. Throws `InputError` when a file cannot be read or is
 * not of the format that instances/costs/README.md describes.
 */
export async function loadCostData(path: string): Promise<CostData> {
  const source = await readText(path);
  const document = readDocument(source, path);
  const data = shaped(document, schema);
  const { tables, list } = await tablesOf(data.tables, path);
  throwFindings(
    document,
    data.sets.flatMap((set, s) => unknownTables(set.tables, tables.length, ["sets", s, "tables"])),
  );
  const sha256 = createHash("sha256").update(source).update(list).digest("hex");
  return { file: path, sha256, source: data.source, tables, sets: data.sets };
}

/** What a stream of measured sets begins with: what {@link loadCostData} reads, without the sets. Throws `InputError`. */
export async function readCostHead(document: PlacedDocument): Promise<Omit<CostData, "file" | "sha256" | "sets">> {
  const { source, tables } = shaped(document, head);
  return { source, tables: (await tablesOf(tables, document.file)).tables };
}

/** A measured set of so many tables, as a stream has it in a line. Throws `InputError`. */
export function readMeasuredSet(document: PlacedDocument, tables: number): MeasuredSet {
  const set = shaped(document, measuredSet);
  throwFindings(document, unknownTables(set.tables, tables, ["tables"]));
  return set;
}

/** The tables, and the text of the list that they are from, empty where they are in the file itself. */
async function tablesOf(
  tables: z.output<typeof head>["tables"],
  path: string,
): Promise<{ readonly tables: readonly NetworkTable[]; readonly list: string }> {
  if (Array.isArray(tables)) {
    const own = tables.map(({ dataType: type, ...table }) => ({ ...table, elementBytes: ELEMENT_BYTES[type] }));
    return { tables: own, list: "" };
  }
  const { file, dims, dataType: type } = tables;
  const listed = resolveBeside(path, file);
  const list = await readText(listed);
  const shapes = readTables(list, listed);
  // Table t of n in the width dims[d] is number d · n + t.
  const inWidth = (dim: number) => shapes.map((shape) => ({ ...shape, dim, elementBytes: ELEMENT_BYTES[type] }));
  return { tables: dims.flatMap(inWidth), list };
}

/** Numbers, at a place of a file, of tables that there are not. */
export function unknownTables(numbers: readonly number[], tables: number, at: Path): Finding[] {
  return numbers.flatMap((t, i): Finding[] => {
    if (t < tables) return [];
    const message = `expected the number of a table, from 0 to ${tables - 1}, received ${t}`;
    return [{ path: [...at, i], message }];
  });
}

/** A table without the width and the type of its elements, which the file of measured costs gives. */
export type TableShape = Pick<NetworkTable, "rows" | "poolingFactor" | "accessBins">;

const COLUMNS = ["rows", "poolingFactor", ...Array.from({ length: BINS }, (_, bin) => `bin${bin}`)];

/**
 * Reads a list of tables: CSV with the header `rows,poolingFactor,bin0,…,bin16` and one table per line. Empty lines, and
 * lines that begin with `#`, are skipped. Throws `InputError` at the first line that is not so.
 */
export function readTables(text: string, file: string): readonly TableShape[] {
  let hasHeader = false;
  const tables: TableShape[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const fields = line.split(",").map((field) => field.trim());
    if (hasHeader) tables.push(tableOf(fields, file, index + 1));
    else requireHeader(fields, file, index + 1);
    hasHeader = true;
  }
  if (tables.length === 0) throw new InputError("expected a header and at least one table, received none", file);
  return tables;
}

function requireHeader(fields: readonly string[], file: string, line: number): void {
  if (fields.join() === COLUMNS.join()) return;
  const message = `expected the header ${COLUMNS.slice(0, 3).join()},…,${COLUMNS.at(-1)}, received ${fields.length} columns that begin with ${fields[0]}`;
  throw new InputError(message, file, { line, column: 1 });
}

function tableOf(fields: readonly string[], file: string, line: number): TableShape {
  if (fields.length !== COLUMNS.length) {
    const message = `expected ${COLUMNS.length} fields, one per column of the header, received ${fields.length}`;
    throw new InputError(message, file, { line, column: 1 });
  }
  let column = 1;
  const [rows, poolingFactor, ...accessBins] = fields.map((field, f): number => {
    const value = /^[+-]/.test(field) ? Number.NaN : decimalIn(field);
    const isRight = f === 0 ? Number.isSafeInteger(value) && value > 0 : Number.isFinite(value);
    if (!isRight) {
      const wanted = f === 0 ? "an integer of at least 1" : "a number of at least 0";
      throw new InputError(`${COLUMNS[f]}: expected ${wanted}, received "${field}"`, file, { line, column });
    }
    column += field.length + 1;
    return value;
  }) as [number, number, ...number[]];
  return { rows, poolingFactor, accessBins };
}
