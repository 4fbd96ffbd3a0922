import type { RowTiersHeuristic } from "./heuristic.js";
import { type Cut, costBefore, firstCostly, furthest, rowsBefore } from "./merged-units.js";
import { headroomBytes, inSegments } from "./segments.js";

/**
 * FlexShard 2-tier (Sethi et al., MLSys 2023, section 4.3): rows of all tables in falling expected appearances p; rows are
 * data_parallel for as long as the memory over the all-row_wise plan, Σ ((κ − 1/U) − B·p)·bytes, stays within the budget
 * (point B of figure 5); the rest is row_wise.
 *
 * The paper has the memory-neutral budget only, a sum of at most 0; under another budget the sum may reach what that
 * allows. As in the paper, the rule does not look at communication: a wide budget replicates rows past point C, where
 * each costs more to all-reduce than it saves. Where even point A, the plan with the least memory, is over the budget, A
 * is what comes out. Tables of different width: p decides the order, a row's bytes weigh its extra memory. Rows move in
 * blocks of the instance's granularity, ranked by their mean p; a block that does not fit whole is row_wise.
 *
 * Needs the tiers data_parallel and row_wise. The decisions are exact: the number of rows is right to the row.
 */
export const flexshard2tier: RowTiersHeuristic = inSegments(["data_parallel", "row_wise"], (given) => {
  const { instance, units } = given;
  const extraBytes = given.bytes(0);
  const a = firstCostly(units, extraBytes);
  const b = furthest(units, extraBytes, a, costBefore(units, extraBytes, a), headroomBytes(instance, units));
  const c = firstCostly(units, given.seconds(0));
  const rows = (cut: Cut) => Number(rowsBefore(units, cut));
  return { cuts: [b], points: { a: rows(a), b: rows(b), c: rows(c), d: rows({ span: units.units.length, units: 0 }) } };
});

/**
 * FlexShard 3-tier (Sethi et al., MLSys 2023, section 4.5): rows of all tables in falling expected appearances p.
 *
 * 1. data_parallel down to the memory-neutral break-point p_mem = (κ − 1/U)/B (point A of figure 5; a row at p_mem, whose
 *    extra memory is 0, is still replicated: A is where "the next row … is less than" it);
 * 2. flex until the memory that this saved is used up (κ/W − 1/U per byte), or until flex no longer communicates less
 *    than row_wise;
 * 3. the rest row_wise.
 *
 * The communication-neutral break-point of step 2 is read as the paper counts communication: flex's own collectives
 * overlap with others and are not exposed (table 6), so flex wins for every row that is read at all. The published plans
 * bear that out: all four use up the memory. Added up with table 3's costs at the bandwidths of table 6, flex's collectives
 * would pass row_wise's at p = ((1/W)/ar_cross) / (2·B·(1/a2a_global − 1/a2a_intra)) = 4.7e-5, and the flex rows of RM-2
 * would end at 1.03 instead of the published 2.40 million.
 *
 * Other budgets, tables of different width and granularity are treated as in `flexshard-2tier`: what a budget other than
 * memory-neutral allows adds to the saved memory (or takes from it).
 *
 * Needs the tiers data_parallel, flex and row_wise. The decisions are exact: the numbers of rows are right to the row.
 */
export const flexshard3tier: RowTiersHeuristic = inSegments(["data_parallel", "flex", "row_wise"], (given) => {
  const { instance, units } = given;
  const replicaBytes = given.bytes(0);
  const pointA = firstCostly(units, replicaBytes);
  const saved = costBefore(units, replicaBytes, pointA);
  const neutral = firstCostly(units, given.seconds(1), pointA.span, true);
  const end = furthest(units, given.bytes(1), pointA, saved, headroomBytes(instance, units), neutral.span);
  return { cuts: [pointA, end] };
});
