import { InputError } from "../../errors/input-error.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { EXACT_METHOD } from "../../plan-file/method-names.js";
import type { Problem } from "../problem.js";
import type { TablePlacementPlan } from "../table-placement/plan-file/by-status.js";
import { type PlacementTypes, tablePlacement } from "../table-placement/problem.js";
import type { WrittenGroupedPlan } from "./plan-file/schema.js";
import type { PreparedGroups } from "./solve/prepared.js";

/**
 * Tables on groups of devices, each with a copy (TorchRec's 2D parallelism): the size of a group and the placement on it, chosen
 * together. A table placement for every size; what of a plan is of one group is that problem's own to show.
 */
export const groupedPlacement: Problem<
  Omit<PlacementTypes, "ready" | "written" | "methods"> & {
    readonly ready: PreparedGroups;
    readonly written: WrittenGroupedPlan;
    readonly methods: readonly [typeof EXACT_METHOD];
  }
> = {
  ...tablePlacement,
  // Published methods place tables on devices that they are given.
  methods: [EXACT_METHOD],
  isOf: ({ problem, groups }) => problem === "table-placement" && groups !== undefined,
  async solving() {
    const [placement, { prepareGroups: prepare, planPreparedGroups }] = await Promise.all([
      tablePlacement.solving(),
      import("./solve/plan.js"),
    ]);
    return {
      prepare,
      plan: async (ready, options) => (await planPreparedGroups(ready, options)) as TablePlacementPlan,
      evaluate: ({ instance }) => refuse("a placement to evaluate", instance.file),
      own: {
        given: ({ instance }) => refuse("a method of one's own", instance.file),
        decisionIn: placement.own.decisionIn,
      },
      strategies: placement.strategies,
    };
  },
  async comparing() {
    return { compare: ({ instance }) => refuse("methods to compare", instance.file) };
  },
  async verifying() {
    const [{ groupedPlacementPlanSchema: schema }, { verifyGroupedPlan: verify }] = await Promise.all([
      import("./plan-file/schema.js"),
      import("./verify.js"),
    ]);
    return { schema, verify };
  },
  async exporting() {
    const { exportGroups: read } = await import("./export.js");
    return {
      read,
      program: async ({ file }) => refuse("one program", file),
      proved: async () => (await import("./proved.js")).provedGroups,
    };
  },
  async showing() {
    // Statistics of ranks are TorchRec's of one group, which knows nothing of copies.
    return { ...(await tablePlacement.showing()), details: async () => null };
  },
  async frontiers() {
    const frontiers = await (tablePlacement.frontiers as NonNullable<typeof tablePlacement.frontiers>)();
    return { ...frontiers, frontier: ({ file }) => refuse("a frontier", file) };
  },
  async explaining() {
    const explaining = await (tablePlacement.explaining as NonNullable<typeof tablePlacement.explaining>)();
    return { ...explaining, explain: (_plan, { file }) => refuse("a plan to explain", file) };
  },
  async reporting() {
    const { charts: _, ...reporting } = await tablePlacement.reporting();
    return reporting;
  },
};

/** What is known of one problem alone. */
function refuse(what: string, file: TablePlacementInstance["file"]): never {
  const advice =
    "plan, verify, report and export know groups; for this leave groups out and give cluster one group's GPUs";
  throw new InputError(`expected ${what} without groups, received an instance with groups; ${advice}`, file);
}
