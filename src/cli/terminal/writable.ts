import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileReason } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";

/** That files which are asked for can be written, before a long search and not after it. Throws `InputError`. */
export async function requireWritable(...files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) if (file !== undefined) await requireOneWritable(file);
}

async function requireOneWritable(file: string): Promise<void> {
  if (file === "-") throw new InputError("expected a file to write, received -; use --json for standard output");
  const folder = dirname(file);
  const isThere = await access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isThere) {
    if (!(await stat(file)).isDirectory()) return;
    throw new InputError("expected a file that can be written, received a directory", file);
  }
  await access(folder, constants.W_OK).catch((error: unknown) => {
    const reason = fileReason(error, "folder");
    throw new InputError(`expected a folder that can be written to, received ${folder} (${reason})`, file);
  });
}
