import {
  boundFacts,
  bytesAt,
  type Fact,
  fact,
  factsOf,
  type Goal,
  goalBound,
  goalGap,
  goalValue,
} from "../../facts/facts.js";
import { goalTile, proofTile, type Tile } from "../../facts/tiles.js";
import { answerIn, standingOf } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { aside, only, type Said, strong } from "../../text/said.js";
import { bytes, count, milliseconds, percent, significant } from "../../text/units.js";
import { SECONDS } from "../../text/value-unit.js";
import { towerGoal } from "../tower-partition/facts.js";
import type { JointPlan, JointSeconds, JointTowersPlan } from "./plan-file/plan-file.js";

/** The seconds that every iteration waits for the exchange, which are minimised last. */
export function jointGoal({ joint }: Pick<JointTowersPlan, "joint">): Goal {
  return secondsGoal("joint.seconds", joint.seconds);
}

/** The seconds of an exchange, which the file has at `path`. */
function secondsGoal(path: string, { value, bound, gap }: JointSeconds): Goal {
  return { path, unit: SECONDS, value, bound, gap };
}

/** What a proved optimum is of: better placements of worse partitions are not ruled out. */
export const BEST_PARTITIONS = ", of the best partitions into each number of towers";

/** What is said in large type of towers, hosts and tables that were chosen together. */
export function jointTiles(plan: JointTowersPlan): readonly Tile[] {
  const { joint } = plan;
  const goal = jointGoal(plan);
  const proof = jointProofTile(plan, goal);
  if (joint.chosen === null || goal.value === null) return [proof];
  const flat = secondsGoal("joint.flat.seconds", joint.flat.seconds);
  const against: readonly Tile[] =
    flat.value === null
      ? []
      : [
          {
            name: "against the flat exchange",
            value: goal.value > 0 ? `${significant(flat.value / goal.value, 3)} ×` : "·",
            beside: ["as fast; flat takes ", goalValue(flat)],
          },
        ];
  const { device, own, limit } = fullestOf(joint);
  const share = joint.memory.hbmBytesPerGpu
    ? percent((joint.deviceBytes?.[device] ?? 0) / joint.memory.hbmBytesPerGpu)
    : null;
  return [
    goalTile(goal, "exchange per iteration"),
    ...against,
    proof,
    {
      name: "memory of the fullest GPU",
      value: own,
      beside:
        limit === null ? "not limited" : [share === null ? "of " : `${share} of the `, limit, ` of GPU ${device}`],
    },
  ];
}

function jointProofTile(plan: JointTowersPlan, goal: Goal): Tile {
  const answer = answerIn(plan);
  const tile = proofTile(answer, goal);
  if (standingOf(answer) !== "optimal") return tile;
  return { ...tile, beside: `proved${BEST_PARTITIONS}: no placement waits less` };
}

/** What is known of towers, hosts and tables that were chosen together. */
export function jointFacts(plan: Pick<JointTowersPlan, "joint" | "objective">): readonly Fact[] {
  const { joint } = plan;
  if (joint.chosen === null) return [];
  const goal = jointGoal(plan);
  const what = aside("(all steps but the ids, both passes)");
  return factsOf(
    fact("exchange", [strong(goalValue(goal)), " per iteration", what]),
    stepFacts(joint.steps),
    boundFacts(goal),
    fact("flat exchange", flatText(joint)),
    stepFacts(joint.flat.steps),
    memoryFact(joint),
    freedomFacts(joint),
    partitionFact(plan),
  );
}

/** The collectives of an exchange, which a page draws; moves in a GPU's own memory are none. */
function stepFacts(steps: JointPlan["steps"]): readonly Fact[] {
  return (steps ?? [])
    .filter(({ world, hostMemoryBytes }) => world > 1 || hostMemoryBytes !== undefined)
    .map(({ pass, step, world, insideHostBytes, acrossHostsBytes, hostMemoryBytes, seconds }) => {
      const ahead = step === "a" ? ", ids fetched ahead" : "";
      const beside =
        hostMemoryBytes === undefined
          ? `${bytes(insideHostBytes)} inside its host, ${bytes(acrossHostsBytes)} across, ${count(world)} ranks${ahead}`
          : `${bytes(hostMemoryBytes)} of its host's memory, misses of caches`;
      return fact(`  ${pass} ${step}`, [milliseconds(seconds, 4), aside(`busiest GPU ${beside}`)], "terminal");
    });
}

function flatText({ flat: { seconds, status }, seconds: own }: JointPlan): Said {
  if (seconds.value === null)
    return status === "infeasible" ? "the tables have no place on all GPUs" : "none was found";
  const goal = secondsGoal("joint.flat.seconds", seconds);
  const times = own.value ? `, ${significant(seconds.value / own.value, 3)} times` : "";
  const proof = goal.bound === null ? null : [", proved bound ", goalBound(goal), only("page", goalGap(goal))];
  return [goalValue(goal), times, status === "feasible" ? proof : only("page", proof)];
}

function memoryFact(joint: JointPlan): Fact {
  const { own, limit } = fullestOf(joint);
  return fact("largest memory", [own, limit === null ? null : [" of ", limit, " per GPU"]]);
}

/** Hot rows and sizes of caches that were chosen. */
function freedomFacts({ tables, deviceHostBytes, deviceBytes }: JointPlan): readonly Fact[] {
  const hot = (tables ?? []).flatMap(({ name, hotRows }) => (hotRows === undefined ? [] : [[name, count(hotRows)]]));
  const cached = (tables ?? []).flatMap(({ name, cacheLoadFactor: share }) =>
    share === undefined ? [] : [[name, percent(share)]],
  );
  const listed = (pairs: readonly (readonly string[])[]) =>
    pairs.map(([name, number]) => `${printable(name as string)} ${number}`).join(", ");
  const largest = Math.max(0, ...(deviceHostBytes ?? []));
  return factsOf(
    hot.length === 0 || deviceBytes === null ? null : fact("hot rows", [listed(hot), " on every GPU of their tower"]),
    cached.length === 0
      ? null
      : fact("caches", [listed(cached), ` of rows, at most ${bytes(largest)} of host memory per GPU`]),
  );
}

function fullestOf({ memory: { hbmBytesPerGpu: limit }, deviceBytes }: JointPlan) {
  const used = deviceBytes ?? [];
  const device = used.reduce((best, each, rank) => (each > (used[best] ?? 0) ? rank : best), 0);
  const own = bytesAt(`joint.deviceBytes.${device}`, used[device] ?? 0);
  return { device, own, limit: limit === null ? null : bytesAt("joint.memory.hbmBytesPerGpu", limit) };
}

/** The objective of the towers, which a page lists first. */
function partitionFact(plan: Pick<JointTowersPlan, "objective">): Fact {
  const goal = towerGoal(plan);
  const proof = goal.bound === null ? ", no bound was proved" : [", proved bound ", goalBound(goal), goalGap(goal)];
  return fact("partition", [goalValue(goal), proof], "terminal");
}
