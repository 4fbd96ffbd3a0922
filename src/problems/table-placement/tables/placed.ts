import { bytesAt } from "../../../facts/facts.js";
import { left, type PlanTable, right, tableOf } from "../../../facts/plan-table.js";
import { quantity } from "../../../text/said.js";
import { significant } from "../../../text/units.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { costHead } from "./devices.js";
import { optionText } from "./option-text.js";
import { ranksText } from "./ranks.js";

/** Every table with the option it takes, where it lies, what it costs and holds. */
export function placedTables({ tables, objective }: TablePlacementPlan): PlanTable {
  const table = tableOf(
    "The tables",
    tables,
    [
      left("table", ({ name }) => name),
      left("option", (table) => optionText(table)),
      left("GPUs", ({ ranks }) => ranksText(ranks)),
      right(costHead(objective), ({ cost }, t) => quantity(`tables.${t}.cost`, cost, significant(cost, 4))),
      right("memory", ({ hbmBytes }, t) => bytesAt(`tables.${t}.hbmBytes`, hbmBytes)),
    ],
    ({ name }) => ({ about: name }),
  );
  return { ...table, leads: true };
}
