import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import type { GroupedPlacementPlan } from "../../../../src/problems/grouped-placement/plan-file/assemble.js";
import { anyPlanVipr } from "../../../../src/problems/planning/export.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import type { Plan } from "../../../../src/problems/planning/plan.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import type { RowTiersPlan } from "../../../../src/problems/row-tiers/plan-file/plan-file.js";
import type { TablePlacementPlan } from "../../../../src/problems/table-placement/plan-file/plan-file.js";
import { checkVipr } from "../../../../src/vipr/check.js";

/** A bound and a value, exactly, as a plan file has them too. */
const saidOf = ({ bound, value }: { readonly bound: string | null; readonly value: string | null }) =>
  bound === null && value === null ? "infeasible" : `${bound} to ${value}`;

type Claims = Readonly<Record<string, string>>;

/** A plan, and what VIPR's words say of each of its proofs, by name; the first is the one that is written unasked. */
async function proofsOf(name: string): Promise<{ readonly plan: Plan; readonly claims: Claims }> {
  const file = `instances/tiny/${name}.yaml`;
  const plan = await planInstance(file, {});
  const text = writePlan(plan);
  let all: readonly string[] = ["plan"];
  const onNamed = (_: string, names: readonly string[]) => {
    all = names;
  };
  const open = () => loadInstance(file);
  const first = await anyPlanVipr(text, "plan.json", open, { onNamed });
  const claims: Record<string, string> = {};
  for (const proof of all) {
    const written = await anyPlanVipr(text, "plan.json", open, { proof });
    if (proof === all[0]) expect(written).toBe(first);
    expect(written.startsWith(`% the proof ${proof} of a plan with `)).toBe(all.length > 1);
    const { claim } = checkVipr(written);
    // The format has none in the objective.
    const constant = Rational.parse(/^% the objective's constant (\S+) is left out$/m.exec(written)?.[1] ?? "0");
    const whole = (value: Rational | null) => value?.add(constant).toString() ?? null;
    claims[proof] =
      claim.kind === "infeasible" ? "infeasible" : saidOf({ bound: whole(claim.lower), value: whole(claim.upper) });
  }
  return { plan, claims };
}

test("each goal has its proof in VIPR's words, among plans that keep to those before", async () => {
  const { plan, claims } = await proofsOf("placement-stages");
  const stages = (plan as TablePlacementPlan).stages ?? [];
  expect(stages).toHaveLength(3);
  const said = stages.map(({ exact: { best, bound } }, k) => [`goal-${k + 1}`, saidOf({ bound, value: best })]);
  expect(claims).toEqual(Object.fromEntries(said));
});

test("so has a second goal; a plan of one goal has one proof", async () => {
  const { plan, claims } = await proofsOf("placement-second-goal");
  const { exact, second } = plan as TablePlacementPlan;
  expect(claims).toEqual({ "goal-1": saidOf(exact), "goal-2": saidOf(second?.exact ?? exact) });
  const one = await proofsOf("placement-given");
  expect(one.claims).toEqual({ plan: saidOf((one.plan as TablePlacementPlan).exact) });
});

test("each goal of rows that move has its proof", async () => {
  const { plan, claims } = await proofsOf("row-moves");
  const said = ((plan as RowTiersPlan).stages ?? []).map(({ exact: { best, bound } }, k) => [
    `goal-${k + 1}`,
    saidOf({ bound, value: best }),
  ]);
  expect(said).toHaveLength(3);
  expect(claims).toEqual(Object.fromEntries(said));
});

test("each size of groups has its proof, the chosen one first; one without a plan has that proof", async () => {
  const { plan, claims } = await proofsOf("placement-groups");
  const { chosen, sizes } = (plan as GroupedPlacementPlan).groups;
  expect(Object.keys(claims)[0]).toBe(`groups-${chosen}`);
  expect(claims).toEqual(Object.fromEntries(sizes.map(({ size, exact }) => [`groups-${size}`, saidOf(exact)])));
  const none = await proofsOf("placement-groups-infeasible");
  expect(Object.values(none.claims)).toEqual(Array(3).fill("infeasible"));
});

test("each number of towers has the proof of its partition and of its places", async () => {
  const { claims } = await proofsOf("towers-joint-partly");
  expect(Object.keys(claims)).toEqual(["towers-1", "towers-2", "towers-1-places-0"]);
  expect(claims["towers-2"]).toBe("infeasible");
  const none = await proofsOf("towers-joint-infeasible");
  expect(none.claims).toEqual({ "towers-2": "infeasible", "towers-1": "infeasible", flat: "infeasible" });
});

test("a proof that there is none of is refused with those that there are", async () => {
  const file = "instances/tiny/placement-stages.yaml";
  const text = writePlan(await planInstance(file, {}));
  const proof = anyPlanVipr(text, "plan.json", () => loadInstance(file), { proof: "goal-4" });
  await expect(proof).rejects.toThrow(
    'plan.json: expected a plan with the proof that --proof names, received "goal-4" for one with goal-1, goal-2, goal-3; name one of these',
  );
});
