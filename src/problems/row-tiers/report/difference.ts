import { left, NOTHING, type PlanTable, right, tableOf } from "../../../facts/plan-table.js";
import { COLLECTIVES, type Collective } from "../../../instance/cluster.js";
import { barsHeight, type Chart, colouredBy, specHead } from "../../../report/chart.js";
import type { ComparedPair, Difference } from "../../../report/page-section.js";
import { count, significant, some } from "../../../text/units.js";
import type { PlanTable as RowTable, RowTiersPlan } from "../plan-file/plan-file.js";
import { COLLECTIVE_NAMES } from "../tables.js";
import { COLLECTIVE_COLOURS } from "./names.js";

/** Which tables have rows in other tiers in another plan, how many, and what that takes of each collective. */
export function rowTiersDifference(pair: ComparedPair<RowTiersPlan>): Difference {
  const { best, other, names } = pair;
  const others = new Map(other.tables.map((table) => [table.name, table]));
  const changed = best.tables.flatMap((own) => {
    const its = others.get(own.name);
    return its === undefined || own.runs.join() === its.runs.join() ? [] : [{ own, its }];
  });
  const said = `Rows of ${count(changed.length)} of ${some(best.tables.length, "table")} are in other tiers in ${names[1]} than in ${names[0]}`;
  const tables = changed.length === 0 ? [] : [changesTable(changed, said, names)];
  return { said, tables, charts: collectivesOf(pair) };
}

interface Change {
  readonly own: RowTable;
  readonly its: RowTable;
}

function changesTable(changed: readonly Change[], caption: string, [one, two]: readonly [string, string]): PlanTable {
  const tiers = changed.flatMap(({ own, its }) =>
    own.tiers.flatMap(({ tier, rows: first, collectives }) => {
      const second = its.tiers.find((each) => each.tier === tier);
      if (second === undefined || first === second.rows) return [];
      const times = [timeOf(collectives), timeOf(second.collectives)] as const;
      return [{ name: own.name, tier, rows: [first, second.rows] as const, times }];
    }),
  );
  const timeCell = (time: number) => (time === 0 ? NOTHING : significant(time, 4));
  const table = tableOf(caption, tiers, [
    left("table", ({ name }) => name),
    left("tier", ({ tier }) => tier),
    right(`rows, ${one}`, ({ rows }) => count(rows[0])),
    right(`rows, ${two}`, ({ rows }) => count(rows[1])),
    right("change", ({ rows: [first, second] }) => `${second < first ? "−" : "+"}${count(Math.abs(second - first))}`),
    right(`ms, ${one}`, ({ times }) => timeCell(times[0])),
    right(`ms, ${two}`, ({ times }) => timeCell(times[1])),
  ]);
  return { ...table, leads: true };
}

/** Milliseconds. */
function timeOf(collectives: RowTable["tiers"][number]["collectives"]): number {
  return Object.values(collectives).reduce((sum, seconds) => sum + seconds * 1000, 0);
}

function collectivesOf({ best, other, names, id }: ComparedPair<RowTiersPlan>): readonly Chart[] {
  const plans = [best, other].map(({ collectives }, k) => ({
    plan: names[k] as string,
    collectives: (collectives ?? {}) as Partial<Record<Collective, number>>,
  }));
  const used = COLLECTIVES.filter((key) => plans.some(({ collectives }) => (collectives[key] ?? 0) > 0));
  if (used.length === 0) return [];
  const values = plans.flatMap(({ plan, collectives }) =>
    used.map((key, order) => {
      return { plan, collective: COLLECTIVE_NAMES[key].full, milliseconds: (collectives[key] ?? 0) * 1000, order };
    }),
  );
  const legend = used.map((key) => ({ name: COLLECTIVE_NAMES[key].full, colour: COLLECTIVE_COLOURS[key] }));
  return [
    {
      id,
      title: `Time in each collective: ${names[0]} beside ${names[1]}`,
      description: "Milliseconds per iteration.",
      legend,
      spec: {
        ...specHead(barsHeight(2) + 10),
        data: { values },
        transform: [
          {
            calculate: "datum.plan + ', ' + datum.collective + ': ' + format(datum.milliseconds, '.6~g') + ' ms'",
            as: "text",
          },
        ],
        mark: { type: "bar" },
        encoding: {
          y: { field: "plan", type: "nominal", sort: names, title: null, axis: { labelLimit: 200 } },
          x: { field: "milliseconds", type: "quantitative", title: "ms per iteration", axis: { tickCount: 5 } },
          color: colouredBy("collective", legend),
          order: { field: "order" },
          description: { field: "text" },
        },
      },
      numbers: {
        head: ["collective", ...names],
        rows: used.map((key) => [COLLECTIVE_NAMES[key].full, ...plans.map(({ collectives }) => collectives[key] ?? 0)]),
      },
    },
  ];
}
