import { expect, test } from "vitest";
import { z } from "zod";
import { type Coverage, coverageOf, covered, listOf } from "../../../../src/plan-file/fields.js";
import { groupedPlacementPlanSchema } from "../../../../src/problems/grouped-placement/plan-file/schema.js";
import { jointTowersPlanSchema } from "../../../../src/problems/joint-towers/plan-file/plan-file.js";
import { certificateFileSchema, solutionSchema } from "../../../../src/problems/program/answer/schema.js";
import { rowTiersPlanSchema } from "../../../../src/problems/row-tiers/plan-file/plan-file.js";
import { tablePlacementPlanSchema } from "../../../../src/problems/table-placement/plan-file/plan-file.js";
import { towerPartitionPlanSchema } from "../../../../src/problems/tower-partition/plan-file/plan-file.js";
import { computedNumbers, uncoveredIn } from "../../../../src/problems/verification/uncovered.js";

test.each([
  {
    name: "row tiers",
    schema: rowTiersPlanSchema,
    fields: 115,
    chosen: "certificate stages[].certificate stages[].runs[][][] tables[].runs[][]",
    told: "baseline[].method baseline[].reason baseline[].runs[][][] method",
    unchecked:
      "claim.bound claim.solver claim.status claim.value instance.file request.gap request.seed request.timeLimitSeconds request.without[] request.workLimitSeconds timing.proveSeconds timing.readSeconds timing.solveSeconds timing.totalSeconds",
  },
  {
    name: "table placement",
    schema: tablePlacementPlanSchema,
    fields: 161,
    chosen:
      "certificate infeasibility.relaxed.choices[][] infeasibility.relaxed.choices[][][] prices.device.proof.certificate prices.device.proof.choices[][] prices.device.proof.choices[][][] prices.gibPerGpu.proof.certificate prices.gibPerGpu.proof.choices[][] prices.gibPerGpu.proof.choices[][][] proof.ceiling provedOn second.certificate second.exact.cap second.provedOn stages[].certificate stages[].choices[][] stages[].choices[][][] stages[].provedOn tables[].option tables[].ranks[]",
    told: "baseline[].choices[][] baseline[].choices[][][] baseline[].method baseline[].reason method prices.device.bound prices.device.difference prices.device.reason prices.device.value prices.gibPerGpu.bound prices.gibPerGpu.difference prices.gibPerGpu.reason prices.gibPerGpu.value stopped",
    unchecked:
      "claim.bound claim.solver claim.status claim.value instance.file prices.device.rate prices.gibPerGpu.rate request.gap request.seed request.timeLimitSeconds request.without[] request.workLimitSeconds timing.proveSeconds timing.readSeconds timing.solveSeconds timing.totalSeconds",
  },
  {
    name: "placement in groups",
    schema: groupedPlacementPlanSchema,
    fields: 181,
    chosen:
      "certificate groups.sizes[].certificate groups.sizes[].choices[][] groups.sizes[].choices[][][] groups.sizes[].provedOn infeasibility.relaxed.choices[][] infeasibility.relaxed.choices[][][] prices.device.proof.certificate prices.device.proof.choices[][] prices.device.proof.choices[][][] prices.gibPerGpu.proof.certificate prices.gibPerGpu.proof.choices[][] prices.gibPerGpu.proof.choices[][][] proof.ceiling provedOn second.certificate second.exact.cap second.provedOn stages[].certificate stages[].choices[][] stages[].choices[][][] stages[].provedOn tables[].option tables[].ranks[]",
    told: "baseline[].choices[][] baseline[].choices[][][] baseline[].method baseline[].reason method prices.device.bound prices.device.difference prices.device.reason prices.device.value prices.gibPerGpu.bound prices.gibPerGpu.difference prices.gibPerGpu.reason prices.gibPerGpu.value stopped",
    unchecked:
      "claim.bound claim.solver claim.status claim.value instance.file prices.device.rate prices.gibPerGpu.rate request.gap request.seed request.timeLimitSeconds request.without[] request.workLimitSeconds timing.proveSeconds timing.readSeconds timing.solveSeconds timing.totalSeconds",
  },
  {
    name: "tower partition",
    schema: towerPartitionPlanSchema,
    fields: 58,
    chosen: "certificate infeasibility.relaxed.numbering[] towers[][]",
    told: "baseline[].method baseline[].numbering[] baseline[].reason method stopped",
    unchecked:
      "claim.bound claim.solver claim.status claim.value instance.file request.gap request.seed request.timeLimitSeconds request.without[] request.workLimitSeconds timing.proveSeconds timing.readSeconds timing.solveSeconds timing.totalSeconds",
  },
  {
    name: "towers with tables",
    schema: jointTowersPlanSchema,
    fields: 136,
    chosen:
      "certificate infeasibility.relaxed.numbering[] joint.flat.placement.certificate joint.flat.placement.choices[][] joint.flat.placement.choices[][][] joint.flat.placement.provedOn joint.rows[].partition.certificate joint.rows[].partition.numbering[] joint.rows[].partition.unplaceable[].certificate joint.rows[].partition.unplaceable[].features[] joint.rows[].partition.unplaceable[].provedOn joint.rows[].placements[].certificate joint.rows[].placements[].choices[][] joint.rows[].placements[].choices[][][] joint.rows[].placements[].provedOn towers[][]",
    told: "baseline[].method baseline[].numbering[] baseline[].reason method stopped",
    unchecked:
      "claim.bound claim.solver claim.status claim.value instance.file request.gap request.seed request.timeLimitSeconds request.without[] request.workLimitSeconds timing.proveSeconds timing.readSeconds timing.solveSeconds timing.totalSeconds",
  },
  {
    name: "certificates",
    schema: certificateFileSchema,
    fields: 16,
    chosen: "certificate model.dialect point",
    told: "",
    unchecked: "model.file request.gap",
  },
  {
    name: "solutions",
    schema: solutionSchema,
    fields: 55,
    chosen: "certificate model.dialect ray variables",
    told: "",
    unchecked:
      "beside.bound beside.failure beside.gap beside.reading.detail beside.reading.status beside.solver beside.status beside.value claims[].bound claims[].failure claims[].solver claims[].status claims[].value contradictions[] model.file nodes notes[] notes[].code notes[].line notes[].text reason request.gap request.seed request.solver request.timeLimitSeconds timing.besideSeconds timing.proveSeconds timing.readSeconds timing.solveSeconds timing.totalSeconds",
  },
])(
  "$name: all is computed again but what is chosen, told or unchecked",
  ({ schema, fields, chosen, told, unchecked }) => {
    const table = Object.entries(coverageOf(schema));
    expect(table).toHaveLength(fields);
    const listed = (isListed: (coverage: Coverage) => boolean) =>
      table
        .flatMap(([path, coverage]) => (isListed(coverage) ? [path] : []))
        .sort()
        .join(" ");
    expect({
      chosen: listed((coverage) => coverage === "chosen"),
      told: listed((coverage) => coverage === "told"),
      unchecked: listed((coverage) => typeof coverage === "object"),
    }).toEqual({ chosen, told, unchecked });
  },
);

test("the walk through a schema finds fields below lists, tuples, unions and what may be missing", () => {
  const schema = z.strictObject({
    a: z.number().optional(),
    b: covered("chosen", z.array(z.tuple([z.string(), covered("told", z.array(z.number()))])).nullable()),
    c: z.strictObject({ d: z.union([z.number(), z.strictObject({ e: z.boolean() })]) }),
    f: z.unknown(),
    g: covered("chosen", listOf(z.number(), "a list")).nullable().describe("or none"),
  });
  const rest = { a: "computed", "c.d": "computed", "c.d.e": "computed", f: "computed" };
  expect(coverageOf(schema)).toEqual({ ...rest, "b[][]": "chosen", "b[][][]": "told", "g[]": "chosen" });
  expect(() => coverageOf(z.strictObject({ a: z.map(z.string(), z.string()) }))).toThrow("a: map");
});

test("a field that no table knows counts as not checked", () => {
  const table = { a: "computed", certificate: "chosen" } as const;
  const file = { a: 1, b: [{ c: 2 }, { c: 3 }], certificate: { steps: [4] }, d: null };
  expect(uncoveredIn(file, table)).toEqual([{ path: "b[].c", reason: "no check is known for it" }]);
  expect(computedNumbers(file, table, [])).toBe(1);
});

test("what is left out is not counted, with all below it and nothing else", () => {
  const table = { "a[].b": "told", "a[].bc": "computed" } as const;
  const file = {
    a: [
      { b: 1, bc: 2 },
      { b: 3, bc: 4 },
    ],
  };
  expect(computedNumbers(file, table, [])).toBe(4);
  expect(computedNumbers(file, table, [{ path: "a[].b", reason: "" }])).toBe(2);
  expect(computedNumbers(file, table, [{ path: "a[1]", reason: "" }])).toBe(2);
  expect(computedNumbers(file, table, [{ path: "a", reason: "" }])).toBe(0);
});
