import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { InputError } from "../../errors/input-error.js";

export interface DuckDbSettings {
  /** Most memory, in DuckDB's words ("4GB"); default DuckDB's own, four fifths of the machine's. */
  readonly memoryLimit?: string;
  /** A folder for what does not fit into memory; without one nothing is written to disk. */
  readonly temporaryFolder?: string;
  readonly threads?: number;
}

/** A database in memory, and one connection to it. */
export interface DuckDb {
  readonly connection: DuckDBConnection;
  close(): void;
}

/**
 * Opens DuckDB, which is an optional dependency. It never downloads extensions.
 *
 * `purpose` begins the message when it is not installed: "reading Parquet", say. Throws `InputError` then, and when a
 * setting is refused.
 */
export async function openDuckDb(purpose: string, settings: DuckDbSettings = {}): Promise<DuckDb> {
  const { DuckDBInstance: Instance } = await load(purpose);
  const { memoryLimit, temporaryFolder, threads } = settings;
  let instance: DuckDBInstance;
  try {
    instance = await Instance.create(":memory:", {
      autoinstall_known_extensions: "false",
      // Rows may come in any order where no ORDER BY says otherwise: less memory, more threads.
      preserve_insertion_order: "false",
      // Empty is none: the default is a folder in the working directory.
      temp_directory: temporaryFolder ?? "",
      ...(memoryLimit === undefined ? {} : { memory_limit: memoryLimit }),
      ...(threads === undefined ? {} : { threads: String(threads) }),
    });
  } catch (error) {
    throw new InputError(`DuckDB does not take the settings: ${duckDbMessage(error)}`);
  }
  const connection = await instance.connect();
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function load(purpose: string): Promise<typeof import("@duckdb/node-api")> {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    const advice = "install it with: npm install @duckdb/node-api";
    throw new InputError(`${purpose} needs DuckDB, which is not installed${absenceOf(error)}; ${advice}`);
  }
}

/** Why a package could not be loaded, in brackets, where it is not just absent. */
export function absenceOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" ? "" : ` (${message.split("\n")[0]})`;
}

/** DuckDB's own message in one line, without its hints. */
export function duckDbMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] as string).trim();
}

/** A text as an SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The start of a file's pattern that DuckDB takes for that very file. */
export function literalPath(file: string): string {
  return sqlText(file.replace(/[*?[]/g, "[$&]"));
}

/** What reads Parquet files, whatever the folders are called that they lie in; `more` are further settings. */
export function parquetSql(files: readonly string[], more: readonly string[] = []): string {
  const settings = [`[${files.map(literalPath).join(", ")}]`, "hive_partitioning = false", ...more];
  return `read_parquet(${settings.join(", ")})`;
}

/** A name of a column or table, quoted. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
