import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { fileError, fileReason } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { readBytes, regularFileSize } from "../input/files.js";
import { utf8Text } from "../input/utf8.js";
import { type Path, readDocument } from "./document.js";
import { fileChunks } from "./file-chunks.js";
import { throwFindings } from "./findings.js";
import type { Instance, RowTiersInstance } from "./instance.js";
import { parseInstance } from "./parse.js";
import type { TablePlacementInstance } from "./table-placement-instance.js";
import type { TowerPartitionInstance } from "./tower-partition-instance.js";

/**
 * Reads the instance in a file; `-` reads `standardInput`. Files that it names (counts, weights, a matrix) are read once, for
 * {@link Instance.sha256}.
 *
 * Throws `InputError` when a file cannot be read, is not UTF-8, or is not an instance.
 */
export async function loadInstance(path: string, standardInput?: () => Promise<string>): Promise<Instance> {
  if (path === "-" && !standardInput) throw new InputError("expected a file, received - without standard input");
  const text = path === "-" && standardInput ? await standardInput() : await readText(path);
  return withNamedFiles(parseInstance(text, path), text);
}

/**
 * An instance that was read from a text, with the hashes of the files that it names in its own. Throws `InputError` with its
 * place in the text when one of them cannot be read.
 */
export async function withNamedFiles<I extends Instance>(instance: I, text: string): Promise<I> {
  const hashes: string[] = [];
  for (const { name, at } of namedFiles(instance)) {
    hashes.push(
      await hashFile(resolveBeside(instance.file, name)).catch((error: unknown) => {
        const message = `expected a file that can be read, received ${name} (${fileReason(error)}); paths are relative to the instance's file`;
        throwFindings(readDocument(text, instance.file), [{ path: at, message }]);
        throw error;
      }),
    );
  }
  if (hashes.length === 0) return instance;
  const lines = [instance.sha256, ...hashes].map((hash) => `${hash}\n`).join("");
  return { ...instance, sha256: createHash("sha256").update(lines).digest("hex") };
}

/**
 * The files whose contents the instance stands for, and where it names them: counts of rows, the weights of a cost
 * network, a policy, a matrix.
 */
function namedFiles(instance: Instance): readonly { readonly name: string; readonly at: Path }[] {
  if (instance.problem === "row-tiers") {
    return instance.tables.flatMap(({ access }, t) =>
      access.kind === "counts" ? [{ name: access.file, at: ["tables", t, "access", "counts", "file"] }] : [],
    );
  }
  if (instance.problem === "tower-partition") {
    const { interaction } = instance;
    return interaction.kind === "file" ? [{ name: interaction.file, at: ["interaction", "file"] }] : [];
  }
  const { costModel } = instance;
  if (costModel.kind !== "neural") return [];
  const { file, policy } = costModel;
  return [
    { name: file, at: ["costModel", "neural"] },
    ...(policy === undefined ? [] : [{ name: policy, at: ["costModel", "policy"] }]),
  ];
}

/** {@link loadInstance} where only row tiers will do. Throws `InputError` for an instance of another problem too. */
export async function loadRowTiers(path: string, standardInput?: () => Promise<string>): Promise<RowTiersInstance> {
  return requireRowTiers(await loadInstance(path, standardInput));
}

/** An instance that has to be of row tiers. Throws `InputError` where it is of another problem. */
export function requireRowTiers(instance: Instance): RowTiersInstance {
  if (instance.problem === "row-tiers") return instance;
  throw new InputError(`expected an instance of row-tiers, received one of ${instance.problem}`, instance.file);
}

/** The same for table placement. */
export function requireTablePlacement(instance: Instance): TablePlacementInstance {
  if (instance.problem === "table-placement") return instance;
  throw new InputError(`expected an instance of table-placement, received one of ${instance.problem}`, instance.file);
}

/** The same for tower partition. */
export function requireTowerPartition(instance: Instance): TowerPartitionInstance {
  if (instance.problem === "tower-partition") return instance;
  throw new InputError(`expected an instance of tower-partition, received one of ${instance.problem}`, instance.file);
}

/** A path that an instance's file holds: relative to that file, or to the working directory for standard input. */
export function resolveBeside(instanceFile: string, path: string): string {
  return resolve(instanceFile === "-" ? "." : dirname(instanceFile), path);
}

async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw fileError(error, path, "an instance file that can be read", { advice: "check the path" });
  });
  // With its byte order mark: the hash is that of the file's bytes, and yaml skips the mark.
  return utf8Text(bytes, path, "save the file as UTF-8");
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(path, 0, await regularFileSize(path))) hash.update(chunk);
  return hash.digest("hex");
}
