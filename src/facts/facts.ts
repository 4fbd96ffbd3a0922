import type { PlanClaim, PlanValue } from "../plan-file/envelope.js";
import { noPlanText } from "../plan-file/stopped.js";
import { type AnswerTexts, besideBound, gapOf, gapText } from "../text/optimality.js";
import { type Medium, type Quantity, quantity, type Said, warning } from "../text/said.js";
import { aboveText, aboveWhat, bytes, bytesInUnits, count, some } from "../text/units.js";
import { boundBeside, type ValueUnit } from "../text/value-unit.js";

/** Something that is known of a plan, as terminal, page and playground all draw it. */
export interface Fact {
  readonly name: string;
  readonly said: Said;
  /** Where one medium alone lists it, because the other one has it in a table, a chart or a sentence. */
  readonly on?: Medium;
}

export function fact(name: string, said: Said, on?: Medium): Fact {
  return { name, said, ...(on && { on }) };
}

/** Facts in their order; of what there is none is left out. */
export function factsOf(...all: readonly (Fact | readonly Fact[] | null)[]): readonly Fact[] {
  return all.flat().filter((one) => one !== null);
}

/** What an instance says of a cost model that is not this program's: what it names, and what is assumed of it. */
export interface ForeignModel {
  readonly named: readonly Fact[];
  readonly assumed: readonly Fact[];
}

/** What a plan minimises: its value with its proved bound, what they are counted in, and where the file has them. */
export interface Goal extends PlanValue {
  readonly path: string;
  readonly unit: ValueUnit;
}

/** A number of the file in its unit. */
export function amountAt(path: string, value: number, unit: ValueUnit): Quantity {
  return quantity(path, value, unit.text(value));
}

export function goalValue({ path, value, unit }: Goal): Quantity {
  return amountAt(`${path}.value`, value ?? 0, unit);
}

export function goalBound({ path, value, bound, unit }: Goal): Said {
  return bound === null ? "none" : quantity(`${path}.bound`, bound, boundBeside(unit, bound, value));
}

/** `, gap 0` behind a bound. */
export function goalGap(goal: Goal): Said {
  const { path, gap } = goal;
  if (gap === null) return null;
  return [", gap ", quantity(`${path}.gap`, gap, gapText(goal)), gapOf(goal)];
}

/** The proved bound with its gap, where there is one. */
export function boundFacts(goal: Goal): readonly Fact[] {
  return factsOf(goal.bound === null ? null : fact("proved bound", [goalBound(goal), goalGap(goal)]));
}

/** How a goal's value and bound are written where it is said what is known of them. */
export function answerTexts(goal: Goal, optimum: Said, among = ""): AnswerTexts {
  return { value: goalValue(goal), bound: goalBound(goal), optimum, among };
}

export function bytesAt(path: string, value: number): Quantity {
  return quantity(path, value, bytes(value));
}

/** A published method in a plan file, beside the proved bound. */
interface Baseline {
  readonly method: string;
  readonly value: number | null;
  readonly status: string | null;
  readonly aboveBound: number | null;
  readonly reason: string | null;
}

/** What a published method comes to; `more` is said of one that keeps to all limits. */
export function methodFact(
  { method: name, value, status, aboveBound, reason }: Baseline,
  path: string,
  unit: ValueUnit,
  { isFirstOfTwo = false, more = null }: { readonly isFirstOfTwo?: boolean; readonly more?: Said } = {},
): Fact {
  if (value === null) return fact(name, bytesInUnits(noPlanText(reason)));
  const own = amountAt(`${path}.value`, value, unit);
  if (status === "breaks-limits") return fact(name, [own, `, but ${bytesInUnits(reason ?? "")}`]);
  const stopped = reason === null ? null : `, ${reason}`;
  return fact(name, [own, besideBoundAt(`${path}.aboveBound`, aboveBound, isFirstOfTwo), more, stopped]);
}

/** `, 6.9 % above the bound` behind a value. */
export function besideBoundAt(path: string, aboveBound: number | null, isFirstOfTwo = false): Said {
  const above = (share: number): Said => [
    quantity(path, share, aboveText(share)),
    aboveWhat(share, "the bound").slice(aboveText(share).length),
  ];
  const text = besideBound(aboveBound, isFirstOfTwo, above);
  return text === null ? null : [", ", text];
}

/** What a general solver said, where one was asked. */
export function claimFacts(claim: PlanClaim | null): readonly Fact[] {
  if (claim === null) return [];
  const mark = claim.agrees ? null : [warning("contradicts the proof:"), " "];
  return [{ name: `solver ${claim.solver}`, said: [mark, claim.remark] }];
}

/** Why there is no plan: the terminal says it below the table that it belongs to. */
export function whyFact(explanation: string): Fact {
  return fact("why", bytesInUnits(explanation), "page");
}

/** How many GPUs there are, and where. */
export function clusterFact({ nodes, gpusPerNode }: { readonly nodes: number; readonly gpusPerNode: number }): Fact {
  const gpus = some(gpusPerNode, "GPU");
  return fact("cluster", nodes === 1 ? `one node of ${gpus}` : `${count(nodes)} nodes of ${gpus} each`);
}
