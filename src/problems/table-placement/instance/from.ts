import { z } from "zod";
import { countsFilesOf } from "../../../instance/access-of.js";
import { type PlacedDocument, readDocument } from "../../../instance/document.js";
import { received, throwFindings } from "../../../instance/findings.js";
import { readFromFile, readPlanFrom, refusingFrom } from "../../../instance/from-files.js";
import { hashOfAll, resolveBeside } from "../../../instance/load.js";
import { hashOf } from "../../../instance/parse.js";
import type { InstanceReader } from "../../../instance/reader.js";
import { namesOf } from "../../../instance/types/sharding-names.js";
import type {
  MovesFrom,
  PlacementCluster,
  TablePlacementInstance,
  WrittenChoice,
} from "../../../instance/types/table-placement.js";
import { checkRanks, ranksNow } from "./ranks-now.js";
import { type FromInput, type ShardingPlanInput, shardingPlanSchema } from "./schema.js";

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

/** A sharding plan of TorchRec's, which does not say of how many devices it is. */
const torchrecPart = z.strictObject({ plan: shardingPlanSchema });

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
  const { plan, text } =
    typeof input.plan === "string"
      ? readPlanFrom(document, input.plan, z.union([planPart, torchrecPart]), {
          problem: "table-placement",
          has: "a placement",
        })
      : { plan: { plan: input.plan }, text: null };
  const old = input.instance === undefined ? null : readInstance(document, input.instance, read);
  const isOwn = "devices" in plan;
  if (old !== null && isOwn && !isOf(plan.instance?.sha256, old)) {
    refuse("instance", `expected the instance of the plan ${input.plan}, received another (by SHA-256); name that one`);
  }
  const then = old === null ? cluster : old.instance.cluster;
  const devices = then.nodes * then.gpusPerNode;
  if (isOwn && plan.devices.length !== devices) {
    refuse(
      "plan",
      `expected a plan on ${devices} devices, as ${old === null ? "this" : "its"} instance has, received one on ${plan.devices.length}; ${old === null ? "name the plan's own instance (from.instance)" : "name another plan"}`,
    );
  }
  const known = old?.instance.tables ?? tables;
  const choices = new Map(isOwn ? Object.entries(plan.choices) : ofTorchrec(plan.plan, known, refuse));
  if (!tables.some(({ name }) => choices.has(name))) {
    refuse(
      "plan",
      `expected a plan that has tables of this instance, received one that has none of them; name another plan`,
    );
  }
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
  // A plan that the instance itself has is in its own hash.
  const hashes = [text, old?.text ?? null].flatMap((other) => (other === null ? [] : [hashOf(other)]));
  return {
    from: {
      choices,
      mostMoved: input.mostMoved ?? null,
      ...ranksNow(then, cluster, input.ranks),
      instance: old?.instance ?? null,
      optimizer: input.optimizer ?? null,
    },
    sha256: hashes.length === 0 ? sha256 : hashOfAll([sha256, ...hashes]),
  };
}

/** Where a sharding plan of TorchRec's has the tables, by the names that the instance has for them. */
function ofTorchrec(
  plan: ShardingPlanInput,
  tables: readonly { readonly name: string }[],
  refuse: ReturnType<typeof refusingFrom>,
): ReadonlyMap<string, WrittenChoice> {
  const known = new Set(tables.map(({ name }) => name));
  const choices = new Map<string, WrittenChoice>();
  for (const [module, shardings] of Object.entries(plan)) {
    for (const [table, { sharding_type: shardingType, compute_kernel: kernel, ranks }] of Object.entries(shardings)) {
      const names = namesOf({ module, table });
      const name = names.find((candidate) => known.has(candidate)) ?? (names[0] as string);
      if (choices.has(name)) {
        refuse("plan", `expected each table once, received ${received(name)} of two modules; call them module.name`);
      }
      choices.set(name, { shardingType, kernel, ranks });
    }
  }
  return choices;
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

function isOf(hash: string | undefined, { instance: { sha256 }, isAlone }: OldInstance): boolean {
  return !isAlone || hash === undefined || hash === sha256;
}
