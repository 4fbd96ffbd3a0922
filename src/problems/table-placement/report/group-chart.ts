import { barsHeight, type Chart, specHead } from "../../../report/chart.js";
import { colour } from "../../../report/palette.js";
import { plainUnit } from "../../../text/value-unit.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";

/** What the best plan of every size of groups costs; `null` where fewer than two have one. */
export function groupChart({ groups, objective }: TablePlacementPlan, id: string): Chart | null {
  const { text } = plainUnit(objective.unit);
  const values = (groups?.sizes ?? []).flatMap(({ size, copies, value }) =>
    value === null
      ? []
      : [{ size: `${size} × ${copies}`, value, label: text(value), isChosen: size === groups?.chosen }],
  );
  if (values.length < 2) return null;
  return {
    id: `${id}-groups`,
    title: "Sizes of groups",
    description: "The largest device cost of the best plan of every size, as GPUs of a group × groups.",
    spec: {
      ...specHead(barsHeight(values.length)),
      data: { values },
      transform: [{ calculate: "datum.size + ': ' + datum.label", as: "text" }],
      encoding: {
        y: { field: "size", type: "nominal", sort: values.map(({ size }) => size), title: "GPUs × groups" },
        x: { field: "value", type: "quantitative", title: objective.unit, axis: { tickCount: 5 } },
      },
      layer: [
        {
          mark: { type: "bar", height: 17 },
          encoding: {
            description: { field: "text" },
            color: { condition: { test: "datum.isChosen", value: colour.blue }, value: colour.sky },
          },
        },
        { mark: { type: "text", align: "left", dx: 5 }, encoding: { text: { field: "label" } } },
      ],
    },
    numbers: { head: ["GPUs × groups", "largest cost"], rows: values.map(({ size, value }) => [size, value]) },
  };
}
