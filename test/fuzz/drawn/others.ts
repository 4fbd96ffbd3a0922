import fc from "fast-check";
import { towerInteraction } from "../../../src/access/interaction/tower-interaction.js";
import { seededRandom } from "../../../src/exact/random.js";
import { requireInstance } from "../../../src/instance/reader.js";
import type { TowerJoint } from "../../../src/instance/types/tower-partition.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { type Instance, parseInstance } from "../../../src/problems/planning/instances.js";
import { planInstance } from "../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../../src/problems/tower-partition/instance/reader.js";
import { bruteForce } from "../../support/brute-force.js";
import { bruteForceJoint } from "../../support/brute-force-joint.js";
import { bruteForceTowers } from "../../support/brute-force-towers.js";
import { randomCases } from "../../support/random-instance.js";
import { extremeJoint, randomJoint, tightJoint } from "../../support/random-joint.js";
import { randomTowers, towersText } from "../../support/random-towers.js";
import type { Attack, Tally } from "../attack/tally.js";
import { checkPlan } from "./check-plan.js";

/** Plans of rows that brute force goes through. */
const MAX_PLANS = 5000;

const JOINTS = [randomJoint, tightJoint, extremeJoint] as const;

/** Brute force of a joint instance is in doubles. */
const CLOSE = 1e-9;

/** Towers of up to eight features, planned to gap 0 and verified, against all partitions. */
export const towers: Attack = {
  name: "towers",
  async round(seed, tally) {
    const drawn = randomTowers(seededRandom(seed), { features: 8 });
    const best = bruteForceTowers(drawn.parts, drawn.interaction);
    await checkPlan(towersOf(towersText(drawn)), best && [best.value], `seed ${seed}`, tally);
  },
};

/** Rows and tiers, against all plans. */
export const rows: Attack = {
  name: "rows",
  async round(seed, tally) {
    const [drawn] = fc.sample(randomCases(MAX_PLANS), { seed, numRuns: 1 });
    if (drawn === undefined) throw new Error("fast-check has drawn nothing");
    const best = bruteForce(drawn.instance, drawn.access);
    await checkPlan(drawn.instance, best && [best.seconds], `seed ${seed}`, tally);
  },
};

/** Towers and the places of their tables together, against all numbers of towers, partitions and places. */
export const jointTowers: Attack = {
  name: "joint-towers",
  async round(seed, tally) {
    const random = seededRandom(seed);
    const text = JSON.stringify((JOINTS[seed % JOINTS.length] as (typeof JOINTS)[number])(random));
    const where = `seed ${seed}`;
    const instance = towersOf(text);
    const tried = bruteForceJoint(instance, instance.joint as TowerJoint, await towerInteraction(instance));
    tally.add("plans");
    const plan = (await planInstance(instance, { gap: 0 })) as unknown as JointFound;
    for (const { towers: count, seconds } of tried) {
      const row = plan.joint.rows.find((one) => one.towers === count);
      const fault = jointFault(row, seconds);
      if (fault !== null) tally.fault(`${where}, ${count} towers: ${fault}`);
      tally.add(row?.status === "proved" || row?.status === "infeasible" ? row.status : "left open");
    }
    await requireVerified(instance, plan, where, tally);
  },
};

interface JointRow {
  readonly towers: number;
  readonly status: string;
  readonly seconds: { readonly value: number | null; readonly bound: number | null };
}

interface JointFound {
  readonly joint: { readonly rows: readonly JointRow[] };
}

/** `seconds`: of each best partition that has a place. */
function jointFault(row: JointRow | undefined, seconds: readonly number[]): string | null {
  if (row === undefined) return "left out";
  const { value, bound } = row.seconds;
  if (seconds.length === 0) return value === null ? null : `${value} seconds where nothing has a place`;
  if (row.status === "infeasible") return `infeasible, and ${seconds[0]} seconds are possible`;
  if (row.status !== "proved") return null;
  const isBest = value !== null && seconds.some((one) => Math.abs(one - value) <= CLOSE * Math.max(1, one));
  if (!isBest) return `proved ${value}, at best ${seconds.join(" or ")}`;
  return bound === value ? null : `proved ${value} with a bound of ${bound}`;
}

async function requireVerified(instance: Instance, plan: object, where: string, tally: Tally): Promise<void> {
  const { passed, differences } = await verifyPlanText(writePlan(plan as never), "plan.json", async () => instance);
  if (passed) tally.add("verified");
  else tally.fault(`${where}: not verified: ${JSON.stringify(differences)}`);
}

function towersOf(text: string) {
  return requireInstance(towerPartitionReader, parseInstance(text, "drawn.yaml"));
}
