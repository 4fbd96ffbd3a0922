import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where in `folder` the copy of a log's `k`th file goes: below its folders such as `day=3`, which are columns where they are asked for. */
export async function copyPath(folder: string, k: number, name: string): Promise<string> {
  const path = join(folder, `log-${k}`, ...(name.match(/[^/]+=[^/]*(?=\/)/g) ?? []), "copy.parquet");
  await mkdir(dirname(path), { recursive: true });
  return path;
}
