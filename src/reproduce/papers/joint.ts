import { NOTHING } from "../../facts/plan-table.js";
import { quantity, type Said } from "../../text/said.js";
import { count, percent, significant } from "../../text/units.js";
import { leastLoss } from "../joint/numbers.js";
import type { JointReproduction, JointVariant } from "../joint/reproduction.js";
import { type PaperSection, paperTable } from "./section.js";

export const JOINT_NOTE = `No paper's: what each freedom of a placement brings under TorchRec's cost model, each switched off in turn. "At least" is proved: the bound
without it, beside the plan that was found with all. Where a plan without it costs no more, or the gaps leave it open, nothing is said.`;

/** Plan and bound of every model with all freedoms, without each, and with none. */
export function jointSections({ models, workSeconds }: JointReproduction): readonly PaperSection[] {
  const rows = models.flatMap(({ variants, ...model }, m) =>
    variants.map((variant, v) => {
      const cost = (of: "value" | "bound"): Said => {
        const text = (number: number) => `${significant(number, 6)}${model.unit === null ? "" : ` ${model.unit}`}`;
        const number = variant[of];
        return number === null ? NOTHING : quantity(`models.${m}.variants.${v}.${of}`, number, text(number));
      };
      return { ...model, ...variant, cost, loss: v === 0 ? null : leastLoss(variants[0] as JointVariant, variant) };
    }),
  );
  const caption = `Largest device cost, each search ${significant(workSeconds, 2)} seconds of counted work`;
  const table = paperTable(caption, rows, [
    ["model", "l", ({ name }) => name, "once"],
    ["tables", "r", ({ tables }) => count(tables), "once"],
    ["GPUs", "r", ({ devices }) => count(devices), "once"],
    ["without", "l", ({ without }) => (without.length === 0 ? NOTHING : without.join(", "))],
    ["plan", "r", ({ cost }) => cost("value")],
    ["proved bound", "r", ({ cost }) => cost("bound")],
    ["gap", "r", ({ value, bound }) => gapOf(value, bound)],
    ["worse at least", "r", ({ loss }) => (loss === null || loss <= 0 ? NOTHING : percent(loss))],
  ]);
  return [{ id: "freedoms", title: "What each freedom brings", parts: rows.length === 0 ? null : [table] }];
}

function gapOf(value: number | null, bound: number | null): Said {
  if (value === null || bound === null || value === 0) return NOTHING;
  return value === bound ? "0" : percent((value - bound) / value);
}
