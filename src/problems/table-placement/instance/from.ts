import { z } from "zod";
import { countsFilesOf } from "../../../instance/access-of.js";
import { type PlacedDocument, readDocument } from "../../../instance/document.js";
import { received, throwFindings } from "../../../instance/findings.js";
import { readFromFile, readPlanFrom, refusingFrom } from "../../../instance/from-files.js";
import { hashOfAll, resolveBeside } from "../../../instance/load.js";
import { hashOf } from "../../../instance/parse.js";
import type { InstanceReader } from "../../../instance/reader.js";
import type { MovesFrom, PlacementCluster, TablePlacementInstance, WrittenChoice } from "./instance.js";
import { checkRanks, ranksNow } from "./ranks-now.js";
import type { FromInput } from "./schema.js";

/** What is read of a plan file; whatever else is in it does not matter here. */
const planPart = z.looseObject({
  problem: z.literal("table-placement"),
  instance: z.looseObject({ sha256: z.string().optional() }).optional(),
  devices: z.array(z.unknown()),
  choices: z.record(
    z.string(),
    z.looseObject({ shardingType: z.string(), kernel: z.string(), ranks: z.array(z.int().min(0)) }),
  ),
});

type PlanPart = z.output<typeof planPart>;

/** Enough of an instance to say that a file is meant as one. */
const instancePart = z.looseObject({
  problem: z.literal("table-placement"),
  costModel: z.union([z.string(), z.looseObject({})]),
  from: z.unknown().optional(),
});

/** The instance that a plan is read for. */
export interface Reading {
  readonly tables: readonly { readonly name: string }[];
  readonly cluster: PlacementCluster;
  readonly sha256: string;
  /** Reads the plan's own instance. */
  readonly read: InstanceReader<TablePlacementInstance>["read"];
}

/**
 * Reads the plan that tables move from, and its instance where one is named: tables may have been added, dropped or
 * changed, devices too. `sha256` becomes the hash of all files. Throws `InputError` at the place of the key where a file is
 * none, or is of tables that have nothing to do with these, or where devices have changed and no instance is named.
 */
export function readMovesFrom(
  document: PlacedDocument,
  input: FromInput,
  { tables, cluster, sha256, read }: Reading,
): { readonly from: MovesFrom; readonly sha256: string } {
  const refuse = refusingFrom(document);
  const { plan, text } = readPlanFrom(document, input.plan, planPart, {
    problem: "table-placement",
    has: "a placement",
  });
  const old = input.instance === undefined ? null : readInstance(document, input.instance, read);
  if (old !== null && !isOf(plan, old)) {
    refuse("instance", `expected the instance of the plan ${input.plan}, received another (by SHA-256); name that one`);
  }
  const devices = plan.devices.length;
  const then = old === null ? cluster : old.instance.cluster;
  if (devices !== then.nodes * then.gpusPerNode) {
    refuse(
      "plan",
      `expected a plan on ${then.nodes * then.gpusPerNode} devices, as ${old === null ? "this" : "its"} instance has, received one on ${devices}; ${old === null ? "name the plan's own instance (from.instance)" : "name another plan"}`,
    );
  }
  const choices = new Map<string, WrittenChoice>(Object.entries(plan.choices));
  if (!tables.some(({ name }) => choices.has(name))) {
    refuse(
      "plan",
      `expected a plan that has tables of this instance, received one that has none of them; name another plan`,
    );
  }
  const known = old?.instance.tables ?? tables;
  const names = new Set(known.map(({ name }) => name));
  for (const [name, { ranks }] of choices) {
    if (old !== null && !names.has(name)) {
      refuse("plan", `expected a plan for the tables of its instance, received one that has ${received(name)} too`);
    }
    const stray = ranks.find((rank) => rank >= devices);
    if (stray !== undefined || ranks.length === 0) {
      refuse(
        "plan",
        `expected devices from 0 to ${devices - 1} for the shards of ${received(name)}, received ${stray ?? "none"}; correct the plan`,
      );
    }
  }
  if (input.ranks !== undefined) {
    throwFindings(document, checkRanks(input.ranks, devices, cluster.nodes * cluster.gpusPerNode));
  }
  return {
    from: {
      choices,
      mostMoved: input.mostMoved ?? null,
      ...ranksNow(then, cluster, input.ranks),
      instance: old?.instance ?? null,
      optimizer: input.optimizer ?? null,
    },
    sha256: hashOfAll([sha256, hashOf(text), ...(old === null ? [] : [hashOf(old.text)])]),
  };
}

/** An instance that a plan is of, as it was read; what it moved from itself does not matter any more. */
interface OldInstance {
  readonly instance: TablePlacementInstance;
  readonly text: string;
  /** Its hash is that of its file alone. */
  readonly isAlone: boolean;
}

function readInstance(document: PlacedDocument, path: string, read: Reading["read"]): OldInstance {
  const file = resolveBeside(document.file, path);
  const text = readFromFile(document, "instance", path, "an instance file");
  const own = readDocument(text, file);
  const parsed = instancePart.safeParse(own.value);
  const { from, ...value } =
    parsed.data ??
    refusingFrom(document)(
      "instance",
      `expected an instance of table-placement, received ${path}, which is none; name another file`,
    );
  const instance = read({ ...own, value }, hashOf(text));
  const isCounted = countsFilesOf(instance.tables).length > 0;
  return { instance, text, isAlone: from === undefined && typeof value.costModel === "string" && !isCounted };
}

function isOf({ instance }: PlanPart, { instance: { sha256 }, isAlone }: OldInstance): boolean {
  return !isAlone || instance?.sha256 === undefined || instance.sha256 === sha256;
}
