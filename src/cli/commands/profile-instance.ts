import { basename, dirname, join } from "node:path";
import { type Document, isMap, isSeq, parseDocument, type ScalarTag, type YAMLMap, type YAMLSeq } from "yaml";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { fileNames } from "../../files/file-names.js";
import { StagedFolder } from "../../files/staged-folder.js";
import { readText } from "../../input/files.js";
import { readDocument } from "../../instance/document.js";
import { parseInstance } from "../../problems/planning/instances.js";
import { writeCountsCsv } from "../../profile/profile.js";
import type { LogProfile } from "../../profile/profile-columns.js";
import type { Preset } from "../../study/generate/init/presets.js";
import { skeleton } from "../../study/generate/init/skeleton.js";
import { writeOutput } from "../terminal/streams.js";
import type { ProfileCommandOptions } from "./profile-options.js";

/** The instance that is to be filled in. */
export interface Base {
  readonly text: string;
  /** Names of its tables, and the rows of those that say them. */
  readonly tables: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  /** What a table has that is not there yet; `null`: none is added. */
  readonly added: { readonly dim: number; readonly dataType: string } | null;
}

/** Reads the instance, or makes one of a preset whose tables will be the columns. Throws `InputError`. */
export async function baseOf(file: string | undefined, preset: Preset, options: ProfileCommandOptions): Promise<Base> {
  if (file === undefined) {
    const document = parseDocument(skeleton("row-tiers", preset));
    document.set("tables", []);
    const { dim = 1, dataType = "fp32" } = options;
    return { text: document.toString({ lineWidth: 0 }), tables: [], rows: {}, added: { dim, dataType } };
  }
  const text = await readText(file, "an instance file");
  const { value } = readDocument(text, file);
  const list = (value as { readonly tables?: unknown } | null)?.tables;
  const tables = (Array.isArray(list) ? list : []) as readonly {
    readonly name?: unknown;
    readonly rows?: unknown;
    readonly num_embeddings?: unknown;
  }[];
  if (tables.length === 0 || tables.some((table) => typeof table?.name !== "string")) {
    throw new InputError("tables: expected tables with names, which are the log's columns, received none", file);
  }
  const rowsOf = tables.flatMap(({ name, num_embeddings, rows = num_embeddings }) =>
    typeof rows === "number" ? [[name as string, rows] as const] : [],
  );
  return { text, tables: tables.map(({ name }) => name as string), rows: Object.fromEntries(rowsOf), added: null };
}

/** Numbers with an exponent, which stay as they were written: `68.0e9`. */
const AS_WRITTEN: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  format: "EXP",
  default: true,
  test: /^[-+]?(\.\d+|\d+(\.\d*)?)e[-+]?\d+$/i,
  identify: (value) => typeof value === "number",
  resolve: Number,
  stringify: ({ source, value }) => (Number(source) === value ? `${source}` : String(value)),
};

/** What a table's rows are called where its number of them is the log's. */
const SEEN = "distinct ids of the log; say the table's own rows where it has more";

/** An instance that is filled in and written with its counts, in a folder beside it. */
export class CountedInstance {
  readonly #out: string;
  readonly #base: Base;
  readonly #document: Document;
  /** Its name, relative to the instance. */
  readonly #folder: string;
  readonly #staged: StagedFolder | null;

  /** Throws `InputError` where the folder cannot be made. */
  constructor(out: string, base: Base) {
    this.#out = out;
    this.#base = base;
    this.#document = parseDocument(base.text, { customTags: (tags) => [AS_WRITTEN, ...tags] });
    this.#folder = `${basename(out).replace(/\.(ya?ml|json)$/i, "")}-counts`;
    // Where options are given, nothing asks how often rows are read.
    const isGiven = ["given", "options"].includes(this.#document.get("costModel") as string);
    this.#staged = isGiven ? null : stage(join(dirname(out), this.#folder));
  }

  /** Where counts by row id are wanted: what is placed is remapped by them. */
  get countsFolder(): string | undefined {
    return this.#isPlacement ? this.#staged?.path : undefined;
  }

  get #isPlacement(): boolean {
    return this.#document.get("problem") === "table-placement";
  }

  /**
   * Writes the instance; comments stay. Returns what is to be said of tables whose rows the log alone has told. Throws
   * `InputError` where that is no instance, or a column is of no table.
   */
  async write({ columns }: LogProfile): Promise<string | null> {
    const document = this.#document;
    const names = fileNames(columns.map(({ name }) => name));
    const files = columns.map(({ countsFile }, k) => countsFile ?? `${names[k]}.csv`);
    try {
      const tables = document.get("tables") as YAMLSeq;
      const guessed = columns.filter(({ name, profile }, k) => {
        const table = tableOf(document, tables, name, this.#base, this.#out);
        const isGuessed = fillRows(document, table, profile.rows, this.#out);
        const counts = { file: join(this.#folder, files[k] as string), samples: profile.samples };
        if (this.#staged !== null) table.set("access", document.createNode({ counts }, { flow: true }));
        if (this.#isPlacement) fillPooling(document, table, profile.meanLength);
        return isGuessed;
      });
      const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
      parseInstance(text, this.#out);
      for (const [k, { profile, countsFile }] of columns.entries()) {
        if (this.#staged === null || countsFile !== undefined) continue;
        await writeOutput(join(this.#staged.path, files[k] as string), writeCountsCsv(profile));
      }
      await this.#staged?.commit(files.slice(1), files[0] as string);
      await writeOutput(this.#out, text);
      if (guessed.length === 0) return null;
      return `rows of ${guessed.map(({ name, profile }) => `${name} (${profile.rows})`).join(", ")}: the ${SEEN}`;
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Leaves nothing of what was not written to its end. */
  abandon(): void {
    this.#staged?.abandon();
  }
}

function stage(folder: string): StagedFolder {
  try {
    return new StagedFolder(folder);
  } catch (error) {
    throw fileError(error, folder, "a folder that can be made", { kind: "folder", advice: "check the path" });
  }
}

/** Whether a table is in TorchRec's words rather than this program's. */
function isInTorchrecWords(table: YAMLMap): boolean {
  return table.has("num_embeddings") || table.has("embedding_dim");
}

/** The rows of a table that does not say them; whether it did not. */
function fillRows(document: Document, table: YAMLMap, rows: number, out: string): boolean {
  const key = isInTorchrecWords(table) ? "num_embeddings" : "rows";
  if (table.has(key)) return false;
  const value = document.createNode(rows);
  // Within braces a comment would end the line.
  if (!/\.json$/i.test(out)) (table.flow ? table : value).comment = ` ${key}: the ${SEEN}`;
  table.set(key, value);
  return true;
}

/** Ids per sample; of a table of several features in the proportions that it has. */
function fillPooling(document: Document, table: YAMLMap, meanLength: number): void {
  if (!isInTorchrecWords(table)) {
    table.set("poolingFactor", meanLength);
    return;
  }
  const given = table.toJSON().pooling_factors;
  const factors: readonly number[] = Array.isArray(given) && given.length > 0 ? given : [1];
  const sum = factors.reduce((all, factor) => all + factor, 0);
  const filled = factors.map((factor) => (sum > 0 ? (factor / sum) * meanLength : meanLength / factors.length));
  table.set("pooling_factors", document.createNode(filled, { flow: true }));
}

function tableOf(document: Document, tables: YAMLSeq, name: string, base: Base, out: string): YAMLMap {
  const found = isSeq(tables) ? tables.items.find((item) => isMap(item) && item.get("name") === name) : undefined;
  if (found !== undefined) return found as YAMLMap;
  if (base.added === null) {
    const message = `column "${name}": expected a table of this name in the instance, received none; name it TABLE=${name}`;
    throw new InputError(message, out);
  }
  const table = document.createNode({ name }, { flow: true }) as YAMLMap;
  table.set("dim", base.added.dim);
  table.set("dataType", base.added.dataType);
  tables.add(table);
  tables.flow = false;
  return table;
}
