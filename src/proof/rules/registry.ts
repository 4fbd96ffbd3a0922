import { CertificateError } from "../grammar.js";
import { clusters } from "./grouping/groups.js";
import { halves } from "./grouping/halves.js";
import { pair } from "./grouping/pair.js";
import { semidefinite } from "./grouping/semidefinite.js";
import type { GroupingTree } from "./grouping/tree.js";
import { bound, decompose, infeasible } from "./program/bound.js";
import { branch } from "./program/branch.js";
import { enumerate, pack, partition } from "./program/enumerate.js";
import { fix, narrow } from "./program/fix.js";
import { cut, knapsack, round } from "./program/lemma.js";
import { exchange, propagate } from "./program/propagate.js";
import type { ProgramTree } from "./program/tree.js";
import type { Rule, Rules } from "./rule.js";

const first = { branch, enumerate, partition, pack, decompose, narrow };
const program = { ...first, fix, propagate, round, cut, knapsack, exchange, bound, infeasible };
const grouping = { pair, groups: clusters, halves, semidefinite };

type Read<Kinds> = { [K in keyof Kinds]: Kinds[K] extends Rule<never, infer S> ? S : never }[keyof Kinds];

/** A step of any kind. */
export type AnyStep = Read<typeof program> | Read<typeof grouping>;

/** What a step about a program may be. */
export const PROGRAM_RULES: Rules<Rule<ProgramTree, object>> = new Map(Object.entries(program));

/** What a step about a grouping may be. */
export const GROUPING_RULES: Rules<Rule<GroupingTree, object>> = new Map(Object.entries(grouping));

/** All kinds, in the order in which a step's keys are looked for. */
const GRAMMAR = Object.entries({ ...first, ...grouping, ...program });

/** Reads a step of any kind. Throws {@link CertificateError}. */
export function readStep(json: unknown, step: number): object {
  const keys = typeof json === "object" && json !== null ? Object.keys(json) : [];
  const rule = GRAMMAR.find(([kind]) => keys.includes(kind))?.[1];
  if (rule === undefined) {
    throw new CertificateError(step, `unknown step ${JSON.stringify(json).slice(0, 80)}`);
  }
  return rule.read(json, step, readStep);
}
