import { loadUnit } from "../../../models/tower-partition/clique-program.js";
import { Rational } from "../../exact/rational.js";
import type { ClusterLoad, Grouping } from "../../program/grouping/grouping.js";
import { changedLabels, plainLabels } from "../../program/natural/labels.js";
import { BYTES, plainMeasure } from "../../program/natural/measures.js";
import type { Letter, Pattern, Words } from "../../program/natural/words.js";
import { some } from "../../text/units.js";

/** The names and units of the compact program of towers (models/tower-partition); `memory`: the load that is bytes. */
export function towerWords(grouping: Grouping, memory: ClusterLoad | null = null): Words {
  const { elements, clusters, load, furtherLoads = [] } = grouping;
  const labels = plainLabels(elements);
  const feature: Letter = { says: "a feature", label: (i) => labels[Number(i)] as string };
  const loadRow = (own: string, name: string, each: ClusterLoad): Pattern => {
    const measure = each === memory ? BYTES : plainMeasure("load", null);
    const quantity = { measure, per: Rational.of(1n, loadUnit(each)) };
    return { own, name, says: "what the feature's tower carries", quantity };
  };
  return {
    title: `towers: ${some(elements.length, "feature")} in ${some(clusters, "tower")}`,
    letters: {
      S: { says: "a size of towers", label: (size) => `size${size}` },
      I: feature,
      J: { ...feature, says: "another feature" },
      M: { ...feature, says: "a feature between them" },
      A: { says: "the least and the most features of a tower", label: (size) => size },
      B: { says: "the same", label: (size) => size },
      C: { says: "a set of features that no tower has, by number", label: (number) => number },
      K: { says: "a part of it, or a load, by number", label: (number) => number },
    },
    columns: [
      { own: "window_A_B", name: "sizes.A.B", says: "1 where all towers are of these sizes" },
      { own: "towers_S", name: "towers.S", says: "how many towers have the size" },
      { own: "in_S_I", name: "in.S.I", says: "1 where the feature's tower has the size" },
      { own: "pair_S_I_J", name: "pair.S.I.J", says: "1 where the two features share a tower of the size" },
      { own: "few_C_I_K", name: "few.C.I.K", says: "1 where the feature's tower has too few of the part" },
    ],
    rows: [
      { own: "window", name: "window", says: "the sizes lie in one window" },
      { own: "towers", name: "towers", says: "so many towers" },
      { own: "item_I", name: "one_tower.I", says: "the feature is in a tower" },
      { own: "allowed_S", name: "allowed.S", says: "towers have sizes of the window" },
      { own: "size_S", name: "size.S", says: "towers of the size have so many features" },
      { own: "beside_S_I", name: "beside.S.I", says: "beside the feature are so many others" },
      { own: "through_S_I_M_J", name: "through.S.I.M.J", says: "features beside the same one are beside one another" },
      ...(load === null ? [] : [loadRow("load_I", "load.I", load)]),
      ...furtherLoads.map((each, k) => loadRow(`load_${k}_I`, `load_${k}.I`, each)),
      { own: "conflict_C_I", name: "conflict.C.I", says: "the feature's tower lacks some of the set" },
      { own: "conflict_C_I_K", name: "conflict.C.I.K", says: "the feature's tower has too few of the part" },
      { own: "few_C_I", name: "few.C.I", says: "that is so of some part" },
    ],
    objective: { measure: plainMeasure("distances", null), per: Rational.one },
    legend: changedLabels("feature", elements, labels),
  };
}
