import { z } from "zod";
import { readNamedText } from "../../../input/files.js";
import { parseJson } from "../../../input/json.js";
import type { PlacedDocument } from "../../../instance/document.js";
import { received, throwFindings } from "../../../instance/findings.js";
import { hashOfAll, resolveBeside } from "../../../instance/load.js";
import { hashOf } from "../../../instance/parse.js";
import type { MovesFrom, PlacementCluster, WrittenChoice } from "./instance.js";

/** What is read of a plan file; whatever else is in it does not matter here. */
const planPart = z.looseObject({
  problem: z.literal("table-placement"),
  devices: z.array(z.unknown()),
  choices: z.record(
    z.string(),
    z.looseObject({ shardingType: z.string(), kernel: z.string(), ranks: z.array(z.int().min(0)) }),
  ),
});

type PlanPart = z.output<typeof planPart>;

/**
 * Reads the plan that tables move from: a plan file for the same tables, on as many devices. `sha256` becomes the hash of
 * both files. Throws `InputError` at the place of `from.plan` where the file is none, or of other tables or devices.
 */
export function readMovesFrom(
  document: PlacedDocument,
  { plan: path, mostMoved }: { readonly plan: string; readonly mostMoved: number },
  tables: readonly { readonly name: string }[],
  { nodes, gpusPerNode }: PlacementCluster,
  sha256: string,
): { readonly from: MovesFrom; readonly sha256: string } {
  const refuse = (message: string): never => {
    throwFindings(document, [{ path: ["from", "plan"], message }]);
    throw new Error("a finding ends the reading");
  };
  const text = readText(document.file, path) ?? refuse(unreadable(path));
  const plan =
    planIn(text) ??
    refuse(
      `expected a table-placement plan (shardproof plan --out), received ${path}, which is none that has a placement; name another file`,
    );
  const devices = nodes * gpusPerNode;
  if (plan.devices.length !== devices) {
    refuse(
      `expected a plan on ${devices} devices, as this instance has, received one on ${plan.devices.length}; name another plan`,
    );
  }
  const choices = new Map<string, WrittenChoice>(Object.entries(plan.choices));
  const missing = tables.find(({ name }) => !choices.has(name));
  if (missing !== undefined) {
    refuse(
      `expected a plan for the tables of this instance, received one without ${received(missing.name)}; name another plan, or remove the table`,
    );
  }
  const known = new Set(tables.map(({ name }) => name));
  for (const [name, { ranks }] of choices) {
    if (!known.has(name)) {
      refuse(
        `expected a plan for the tables of this instance, received one that has ${received(name)} too; name another plan, or add the table`,
      );
    }
    const stray = ranks.find((rank) => rank >= devices);
    if (stray !== undefined || ranks.length === 0) {
      refuse(
        `expected devices from 0 to ${devices - 1} for the shards of ${received(name)}, received ${stray ?? "none"}; correct the plan`,
      );
    }
  }
  return { from: { choices, mostMoved }, sha256: hashOfAll([sha256, hashOf(text)]) };
}

function unreadable(path: string): string {
  return `expected a plan file that can be read, received ${path}; paths are relative to the instance's file`;
}

function readText(instanceFile: string, path: string): string | null {
  try {
    return readNamedText(resolveBeside(instanceFile, path));
  } catch {
    return null;
  }
}

function planIn(text: string): PlanPart | null {
  try {
    const parsed = planPart.safeParse(parseJson(text, "plan"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
