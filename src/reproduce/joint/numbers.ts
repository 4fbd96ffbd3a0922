import { type Judged, type PublishedNumber, said } from "../published-number.js";
import { FREEDOMS } from "./freedoms.js";
import type { JointModel, JointReproduction, JointVariant } from "./reproduction.js";

/** Of every model and freedom whether plans without it are worse, which is proved or left open. */
export function jointNumbers({ models }: JointReproduction): readonly PublishedNumber[] {
  return models.flatMap((model) => FREEDOMS.map(({ name }) => statement(model, name)));
}

function statement({ name, variants }: JointModel, freedom: string): PublishedNumber {
  const all = variants.find(({ without }) => without.length === 0);
  const without = variants.find((variant) => variant.without.length === 1 && variant.without[0] === freedom);
  const [verdict, proved] = verdictOf(all, without);
  const what = `no plan without ${freedom} is as good`;
  return { where: name, what, kind: "statement", unit: "share", equation: null, ...verdict, proved };
}

function verdictOf(all?: JointVariant, without?: JointVariant): [verdict: Judged, proved: boolean] {
  if (all === undefined || without === undefined) return [said(null, ""), false];
  const least = leastLoss(all, without);
  if (least !== null && least > 0) {
    return [{ ...said(true, "the proved bound without it, beside the plan with it"), ours: least }, true];
  }
  if (all.bound !== null && without.value !== null && without.value <= all.bound) {
    return [said(false, "a plan without it, beside the proved bound with it"), true];
  }
  return [{ published: null, ours: null, verdict: "cannot be checked", by: "the gaps leave it open" }, false];
}

/** What plans of the second are worse at least than the plan of the first, as a share of it: proved; `null`: nothing is. */
export function leastLoss(all: JointVariant, without: JointVariant): number | null {
  if (all.value === null || without.bound === null || all.value === 0) return null;
  return without.bound / all.value - 1;
}
