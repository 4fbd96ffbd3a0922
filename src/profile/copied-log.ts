import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { LogFile } from "./raw-lines.js";

/** The files of a log, each put into `folder` as Parquet by `copy`, with its rows in their order. */
export async function copiedLog(
  connection: DuckDBConnection,
  names: readonly string[],
  folder: string,
  copy: (name: string, path: string) => Promise<void>,
): Promise<readonly LogFile[]> {
  const files: LogFile[] = [];
  await connection.run("SET preserve_insertion_order = true");
  for (const [k, name] of names.entries()) {
    // Below its folders such as `day=3`, which are columns where they are asked for.
    const path = join(folder, `log-${k}`, ...(name.match(/[^/]+=[^/]*(?=\/)/g) ?? []), "copy.parquet");
    await mkdir(dirname(path), { recursive: true });
    await copy(name, path);
    files.push({ name, path });
  }
  await connection.run("SET preserve_insertion_order = false");
  return files;
}
