import { barsHeight, type Chart, specHead } from "../../../report/chart.js";
import { colour } from "../../../report/palette.js";
import { count } from "../../../text/units.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";

/** How many tables take each way to be sharded; `null` where all take the same one. */
export function optionChart({ tables }: TablePlacementPlan, id: string): Chart | null {
  const numbers = new Map<string, number>();
  for (const { shardingType, kernel } of tables) {
    const option = `${shardingType}, ${kernel}`;
    numbers.set(option, (numbers.get(option) ?? 0) + 1);
  }
  if (numbers.size < 2) return null;
  const values = [...numbers].sort(([, a], [, b]) => b - a).map(([option, number]) => ({ option, tables: number }));
  return {
    id: `${id}-options`,
    title: "Options taken",
    description: `How many of the ${count(tables.length)} tables take each way to be sharded.`,
    spec: {
      ...specHead(barsHeight(values.length)),
      data: { values },
      transform: [{ calculate: "datum.option + ': ' + datum.tables + ' tables'", as: "text" }],
      encoding: {
        y: {
          field: "option",
          type: "nominal",
          sort: values.map(({ option }) => option),
          title: null,
          axis: { labelLimit: 330 },
        },
        x: { field: "tables", type: "quantitative", axis: { tickCount: 5, tickMinStep: 1, format: ",d" } },
      },
      layer: [
        { mark: { type: "bar", color: colour.blue, height: 17 }, encoding: { description: { field: "text" } } },
        { mark: { type: "text", align: "left", dx: 5 }, encoding: { text: { field: "tables" } } },
      ],
    },
    numbers: { head: ["option", "tables"], rows: values.map(({ option, tables: number }) => [option, number]) },
  };
}
