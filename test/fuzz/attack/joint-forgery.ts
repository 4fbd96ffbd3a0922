import { towerPlacementProblem } from "../../../models/joint-towers/placement-problem.js";
import { directProgram } from "../../../models/table-placement/direct-program.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { towerPartitionReader } from "../../../src/problems/tower-partition/instance/reader.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import type { AimedForgery } from "./aimed-forgeries.js";
import { type Json, type JsonObject, valueAt, withValue } from "./plan-json.js";
import { type PlanSubject, planSubjectOf } from "./plan-subjects.js";

/**
 * Two hosts of two GPUs with 18 bytes each. Three tables of three rows do not fit into one tower of one host; with one of them in the
 * other tower all do, and that is what the interactions ask for.
 */
const INSTANCE = {
  shardproof: 1,
  name: "unplaceable",
  problem: "tower-partition",
  features: ["a1", "a2", "a3", "b1", "b2", "b3"],
  interaction: [
    [1, 0.9, 0.1, 0.9, 0.1, 0.1],
    [0.9, 1, 0.1, 0.9, 0.1, 0.1],
    [0.1, 0.1, 1, 0.1, 0.9, 0.9],
    [0.9, 0.9, 0.1, 1, 0.1, 0.1],
    [0.1, 0.1, 0.9, 0.1, 1, 0.9],
    [0.1, 0.1, 0.9, 0.1, 0.9, 1],
  ],
  cluster: { nodes: 2, gpusPerNode: 2, hbmBytesPerGpu: 18, bandwidth: { insideHost: 100, acrossHosts: 10 } },
  training: { batchPerGpu: 1024 },
  tables: ["a1", "a2", "a3", "b1", "b2", "b3"].map((name) => ({ name, rows: name.startsWith("a") ? 3 : 1, dim: 1 })),
};

/** The partition that nobody asks for: its first tower has no place. */
const NUMBERING = [0, 0, 0, 1, 1, 1];

/**
 * A joint plan in which the best number of towers has another partition, without a certificate, and the true proof that the tables
 * of one of its towers have no place: as if that number of towers had no plan at all, the next best is called proved.
 */
export async function forgedJoint(): Promise<{ readonly subject: PlanSubject; readonly forgery: AimedForgery }> {
  const instance = requireInstance(towerPartitionReader, parseInstance(JSON.stringify(INSTANCE), "unplaceable.json"));
  const subject = await planSubjectOf(instance, "unplaceable.json");
  const { plan } = subject;
  const rows = valueAt(plan, ["joint", "rows"]) as JsonObject[];
  const [two, one] = [2, 1].map((towers) => rows.findIndex((row) => row.towers === towers)) as [number, number];
  const { joint, features, name } = instance;
  if (joint === null || joint === undefined) throw new Error("the instance has no cluster");
  const placements = await Promise.all(
    [0, 1].map(async (tower) => {
      const own = NUMBERING.flatMap((home, feature) => (home === tower ? [feature] : []));
      const problem = towerPlacementProblem(joint, `${name} tower ${tower}`, own, features, 1);
      const { certificate, verdict } = await solveExactly(directProgram(problem).program);
      return {
        certificate: JSON.parse(JSON.stringify(certificate)) as Json,
        status: verdict?.status ?? "unknown",
        own,
      };
    }),
  );
  const written = placements.map(({ certificate, status, own }): Json => {
    if (status === "infeasible") return { status, largestElements: null, bound: null, choices: null, certificate };
    // Whole tables of one row, on the two GPUs in turn.
    const choices = own.map((_, k): Json => [0, [k % 2]]);
    return { status: "unknown", largestElements: null, bound: null, choices, certificate: null };
  });
  const at = (row: number, ...path: string[]) => ["joint", "rows", row, ...path] as const;
  let forged: Json = plan;
  for (const [path, value] of [
    [at(two, "partition", "numbering"), NUMBERING],
    [at(two, "partition", "certificate"), null],
    [at(two, "placements"), written],
    [["certificate"], valueAt(plan, at(one, "partition", "certificate")) ?? null],
    [at(one, "partition", "certificate"), null],
    [["joint", "chosen"], { towers: 1, hostsPerTower: 2 }],
    [["baseline"], []],
  ] as const) {
    forged = withValue(forged, path, value as Json);
  }
  return {
    subject,
    forgery: {
      name: "a number of towers whose best partition is left out for one without a place",
      plan: forged as JsonObject,
      insisted: [
        at(two, "partition", "numbering"),
        at(two, "partition", "certificate"),
        ...[0, 1].flatMap((tower) =>
          ["choices", "certificate"].map((field) => [...at(two, "placements"), tower, field]),
        ),
        ["certificate"],
        ["joint", "chosen"],
      ],
    },
  };
}
