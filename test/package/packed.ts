import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export const run = promisify(execFile);

export interface Packed {
  readonly tarball: string;
  /** Of the tarball, in bytes. */
  readonly size: number;
  readonly files: readonly string[];
  /** Where its files lie unpacked. */
  readonly unpacked: string;
}

/** The package as it is published, of what is built, in a folder. */
export async function packedInto(folder: string): Promise<Packed> {
  const { stdout } = await run(process.execPath, [".ci/stage.mjs", folder], { maxBuffer: 2 ** 26 });
  const packed = JSON.parse(stdout);
  await run("tar", ["-xzf", packed.tarball, "-C", folder]);
  return { ...packed, unpacked: join(folder, "package") };
}
