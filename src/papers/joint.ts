import { NOTHING } from "../problems/plan-table.js";
import { leastLoss } from "../reproduce/joint/numbers.js";
import type { JointModel, JointReproduction, JointVariant } from "../reproduce/joint/reproduction.js";
import { quantity, type Said } from "../text/said.js";
import { count, percent, significant } from "../text/units.js";
import { type PaperSection, paperTable } from "./section.js";

export const JOINT_NOTE = `No paper's: what each freedom of a placement brings under TorchRec's cost model, each switched off in turn. "At least" is proved: the bound
without it, beside the plan that was found with all. Where a plan without it costs no more, or the gaps leave it open, nothing is said.`;

/** Plan and bound of every model with all freedoms, without each, and with none. */
export function jointSections({ models, workSeconds }: JointReproduction): readonly PaperSection[] {
  const rows = models.flatMap((model, m) =>
    model.variants.map((variant, v) => line(model, variant, `models.${m}.variants.${v}`)),
  );
  const caption = `Largest device cost, each search ${significant(workSeconds, 2)} seconds of counted work`;
  const head = ["model", "tables", "GPUs", "without", "plan", "proved bound", "gap", "worse at least"];
  return [
    {
      id: "freedoms",
      title: "What each freedom brings",
      parts: rows.length === 0 ? null : [paperTable(caption, head, rows, "lrrlrrrr")],
    },
  ];
}

function line(
  { name, tables, devices, unit, variants }: JointModel,
  variant: JointVariant,
  path: string,
): readonly Said[] {
  const { without, value, bound } = variant;
  const all = variants[0] as JointVariant;
  const isAll = without.length === 0;
  const cost = (of: "value" | "bound", number: number | null): Said =>
    number === null
      ? NOTHING
      : quantity(`${path}.${of}`, number, `${significant(number, 6)}${unit === null ? "" : ` ${unit}`}`);
  const loss = isAll ? null : leastLoss(all, variant);
  return [
    ...(isAll ? [name, count(tables), count(devices)] : ["", "", ""]),
    isAll ? NOTHING : without.join(", "),
    cost("value", value),
    cost("bound", bound),
    value === null || bound === null || value === 0
      ? NOTHING
      : value === bound
        ? "0"
        : percent((value - bound) / value),
    loss === null || loss <= 0 ? NOTHING : percent(loss),
  ];
}
