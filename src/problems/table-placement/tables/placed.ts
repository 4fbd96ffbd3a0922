import { quantity } from "../../../text/said.js";
import { significant } from "../../../text/units.js";
import { bytesAt } from "../../facts.js";
import type { PlanTable } from "../../plan-table.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { optionText } from "./option-text.js";
import { ranksText } from "./ranks.js";

/** Every table with the option it takes, where it lies, what it costs and holds. */
export function placedTables({ tables, objective }: TablePlacementPlan): PlanTable {
  return {
    caption: "The tables",
    leads: true,
    columns: [
      { head: "table", align: "l" },
      { head: "option", align: "l" },
      { head: "GPUs", align: "l" },
      { head: objective.unit === null ? "cost" : `cost ${objective.unit}`, align: "r" },
      { head: "memory", align: "r" },
    ],
    rows: tables.map(({ name, ranks, cost, hbmBytes, ...table }, t) => ({
      about: name,
      cells: [
        name,
        optionText(table),
        ranksText(ranks),
        quantity(`tables.${t}.cost`, cost, significant(cost, 4)),
        bytesAt(`tables.${t}.hbmBytes`, hbmBytes),
      ],
    })),
  };
}
