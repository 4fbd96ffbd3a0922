import { left, NOTHING, type PlanTable, right, tableOf } from "../../../facts/plan-table.js";
import { type Chart, specHead } from "../../../report/chart.js";
import type { ComparedPair, Difference } from "../../../report/page-section.js";
import { colour } from "../../../report/palette.js";
import { bytes, count, significant, some } from "../../../text/units.js";
import type { PlacementPlanTable, TablePlacementPlan } from "../plan-file/plan-file.js";
import { optionText } from "../tables/option-text.js";
import { ranksText } from "../tables/ranks.js";

/** Devices of which each has its own bars; of more, costs are drawn from the largest on. */
const MAX_DEVICES = 48;

/** Which tables another placement has elsewhere or otherwise, and what its devices cost beside the best one's. */
export function placementDifference(pair: ComparedPair<TablePlacementPlan>): Difference {
  const { best, other, names } = pair;
  const others = new Map(other.tables.map((table) => [table.name, table]));
  const changed = best.tables.flatMap((own) => {
    const its = others.get(own.name);
    const isSame = its !== undefined && optionOf(own) === optionOf(its) && own.ranks.join() === its.ranks.join();
    return its === undefined || isSame ? [] : [{ own, its }];
  });
  const byOption = changed.filter(({ own, its }) => optionOf(own) !== optionOf(its)).length;
  const parts = `${count(byOption)} by option, ${count(changed.length - byOption)} by device alone`;
  const said = `${count(changed.length)} of ${some(best.tables.length, "table")} differ between ${names[0]} and ${names[1]}${changed.length === 0 ? "" : `: ${parts}`}`;
  return { said, tables: changed.length === 0 ? [] : [changesTable(changed, said, pair)], charts: chartsOf(pair) };
}

interface Change {
  readonly own: PlacementPlanTable;
  readonly its: PlacementPlanTable;
}

function optionOf({ shardingType, kernel, option }: PlacementPlanTable): string {
  return `${shardingType} ${kernel} ${option}`;
}

function changesTable(
  changed: readonly Change[],
  caption: string,
  { names, best }: ComparedPair<TablePlacementPlan>,
): PlanTable {
  const [one, two] = names;
  const unit = best.objective.unit ?? "cost";
  const ranked = [...changed].sort((a, b) => b.its.cost - b.own.cost - (a.its.cost - a.own.cost));
  const table = tableOf(
    caption,
    ranked,
    [
      left("table", ({ own }) => own.name),
      left(`option, ${one}`, ({ own }) => optionText(own)),
      left(`option, ${two}`, ({ own, its }) => (optionOf(own) === optionOf(its) ? NOTHING : optionText(its))),
      left(`GPUs, ${one}`, ({ own }) => ranksText(own.ranks)),
      left(`GPUs, ${two}`, ({ own, its }) => (own.ranks.join() === its.ranks.join() ? NOTHING : ranksText(its.ranks))),
      right(`${unit}, ${one}`, ({ own }) => significant(own.cost, 4)),
      right(`${unit}, ${two}`, ({ own, its }) => (own.cost === its.cost ? NOTHING : significant(its.cost, 4))),
      right(`memory, ${one}`, ({ own }) => bytes(own.hbmBytes)),
      right(`memory, ${two}`, ({ own, its }) => (own.hbmBytes === its.hbmBytes ? NOTHING : bytes(its.hbmBytes))),
    ],
    ({ own }) => ({ about: own.name }),
  );
  return { ...table, leads: true };
}

function chartsOf({ best, other, names, id }: ComparedPair<TablePlacementPlan>): readonly Chart[] {
  const [own, its] = [best.deviceCosts, other.deviceCosts];
  if (own === null || its === null || own.length !== its.length) return [];
  const isSorted = own.length > MAX_DEVICES;
  const inOrder = (costs: readonly number[]) => (isSorted ? [...costs].sort((a, b) => b - a) : costs);
  const [first, second] = [inOrder(own), inOrder(its)];
  const values = first.flatMap((cost, device) => [
    { device, plan: names[0], cost },
    { device, plan: names[1], cost: second[device] as number },
  ]);
  const unit = best.objective.unit;
  const colours = { domain: names, range: [colour.blue, colour.orange] };
  return [
    {
      id,
      title: `What each device gains: ${names[0]} beside ${names[1]}`,
      description: isSorted
        ? "What the devices of either plan cost, from the costliest on."
        : "What every device costs in either plan.",
      isWide: true,
      legend: names.map((name, k) => ({ name, colour: colours.range[k] as string })),
      spec: {
        ...specHead(220, true),
        data: { values },
        transform: [
          { calculate: "datum.plan + ', device ' + datum.device + ': ' + format(datum.cost, '.6~g')", as: "text" },
        ],
        mark: isSorted ? { type: "line", strokeWidth: 2 } : { type: "bar" },
        encoding: {
          x: {
            field: "device",
            type: isSorted ? "quantitative" : "ordinal",
            title: isSorted ? "devices from the costliest on" : "device",
            axis: { labelAngle: 0, ticks: false, grid: false, labelOverlap: true },
          },
          ...(isSorted ? {} : { xOffset: { field: "plan", type: "nominal", sort: names, scale: { domain: names } } }),
          y: {
            field: "cost",
            type: "quantitative",
            title: unit === null ? "cost" : `cost, ${unit}`,
            axis: { tickCount: 5 },
          },
          color: { field: "plan", type: "nominal", scale: colours },
          description: { field: "text" },
        },
      },
      numbers: {
        head: ["device", ...names, "difference"],
        rows: first.map((cost, device) => [device, cost, second[device] as number, (second[device] as number) - cost]),
      },
    },
  ];
}
