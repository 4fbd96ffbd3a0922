import { Rational } from "../../src/exact/rational.js";
import { clusterCost } from "../../src/program/grouping/evaluate.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";
import {
  type Column,
  integerForm,
  linearForm,
  makeProgram,
  type Program,
  type Row,
} from "../../src/program/program.js";

/**
 * The partitions that can be made of listed groups, as a program: a binary `g_i_j_…` for each group (its items'
 * indices), a row `item_i` for each item (it is in one group), a row `groups` (as many as the grouping has); the
 * objective is the groups' exact costs. Its points are the numberings whose groups are all listed.
 */
export function coverProgram(grouping: Grouping, listed: readonly (readonly number[])[]): Program {
  const columns = listed.map(
    (group): Column => ({ name: `g_${group.join("_")}`, lower: Rational.zero, upper: Rational.one, integer: true }),
  );
  const having: number[][] = grouping.elements.map(() => []);
  listed.forEach((group, column) => {
    for (const item of group) (having[item] as number[]).push(column);
  });
  const equation = (name: string, among: readonly number[], value: Rational): Row => {
    const form = integerForm(among, new Array(among.length).fill(1n), 1n);
    return { name, form, lower: value, upper: value };
  };
  return makeProgram({
    name: grouping.name,
    columns,
    rows: [
      ...having.map((among, item) => equation(`item_${item}`, among, Rational.one)),
      equation("groups", [...listed.keys()], Rational.of(BigInt(grouping.clusters))),
    ],
    objective: {
      name: "cost",
      sense: "minimize",
      form: linearForm(listed.map((group, column) => [column, clusterCost(grouping, group)] as const)),
    },
  });
}
