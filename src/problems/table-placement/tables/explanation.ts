import { known } from "../../../text/known.js";
import { faint, quantity, type Said } from "../../../text/said.js";
import { percent, significant } from "../../../text/units.js";
import { plainUnit } from "../../../text/value-unit.js";
import { bytesAt } from "../../facts.js";
import { NOTHING, type PlanColumn, type PlanRow, type PlanTable } from "../../plan-table.js";
import { PHASES } from "../instance/instance.js";
import type { ExplainedDevice, ExplainedTable, PlacementExplanation } from "../plan-file/explanation.js";
import { costliest } from "./devices.js";
import { optionText } from "./option-text.js";
import { ranksText } from "./ranks.js";

/** Tables that the terminal lists; a page has all. */
const MAX_TABLES = 20;

/** Digits of milliseconds in cells. */
const DIGITS = 4;

const PHASE_NAMES: Readonly<Record<(typeof PHASES)[number], string>> = {
  forwardCompute: "fwd compute",
  backwardCompute: "bwd compute",
  forwardComms: "fwd comms",
  backwardComms: "bwd comms",
  prefetch: "prefetch",
};

/** The tables of an explanation (its numbers are the plan file's where they have a path), those whose choice costs most to change first. */
export function explainedTables(explanation: PlacementExplanation): PlanTable {
  const { tables, plan } = explanation;
  const phases = PHASES.filter((phase) => tables.some((table) => (table.phases?.[phase] ?? 0) > 0));
  const ranked = rankedByChoice(tables);
  const row = (t: number): PlanRow => {
    const table = tables[t] as ExplainedTable;
    const path = `tables.${t}`;
    const { ranks, cost, hbmBytes } = table;
    const cells = [
      table.name,
      optionText(table),
      ranksText(ranks),
      cost === null ? NOTHING : quantity(`${path}.cost`, cost, significant(cost, DIGITS)),
      ...phases.map((phase) => phaseCell(table.phases?.[phase] ?? 0)),
      bytesAt(`${path}.hbmBytes`, hbmBytes),
      withoutText(table, explanation),
    ];
    return { cells, about: table.name };
  };
  const right = (head: string): PlanColumn => ({ head, align: "r" });
  const left = (head: string): PlanColumn => ({ head, align: "l" });
  const shown = ranked.slice(0, MAX_TABLES).map((t) => ({ ...row(t), on: "terminal" as const }));
  return {
    caption: "The tables, and what the choice of each is worth",
    leads: true,
    columns: [
      ...["table", "option", "GPUs"].map(left),
      right(plan.objective.unit === null ? "cost" : `cost ${plan.objective.unit}`),
      ...phases.map((phase) => right(PHASE_NAMES[phase])),
      right("memory"),
      left("plans without this option"),
    ],
    rows: [...shown, ...ranked.map((t) => ({ ...row(t), on: "page" as const }))],
  };
}

/** How many tables the terminal leaves out. */
export function tablesLeftOut({ tables }: PlacementExplanation): number {
  return Math.max(0, tables.length - MAX_TABLES);
}

/** What fills the devices: by cost, and by memory. */
export function filledDevices({ devices, plan, tables }: PlacementExplanation): PlanTable {
  const hasCosts = tables.every(({ cost }) => cost !== null);
  const listed = costliest(devices.map(({ cost }) => cost));
  const row = ({ device, cost, hbmBytes, hbmLimit, isLargest, tables: held }: ExplainedDevice): PlanRow => ({
    cells: [
      String(device),
      quantity(`deviceCosts.${device}`, cost, significant(cost, 6)),
      bytesAt(`deviceBytes.${device}`, hbmBytes),
      hbmLimit === null || hbmLimit === 0 ? NOTHING : percent(hbmBytes / hbmLimit),
      ...(hasCosts ? [namesOf(held.map(({ name, cost: part }) => [name, shareOf(part ?? 0, cost)]))] : []),
      namesOf(
        held.toSorted((a, b) => b.hbmBytes - a.hbmBytes).map((one) => [one.name, shareOf(one.hbmBytes, hbmBytes)]),
      ),
    ],
    isStrong: isLargest,
  });
  const of = (list: readonly number[]) => list.map((d) => devices[d] as ExplainedDevice);
  const rows =
    listed === null
      ? devices.map(row)
      : [
          ...of(listed).map((one) => ({ ...row(one), on: "terminal" as const })),
          ...devices.map((one) => ({ ...row(one), on: "page" as const })),
        ];
  return {
    caption: "What fills every device",
    columns: [
      { head: "device", align: "r" },
      { head: plan.objective.unit === null ? "cost" : `cost ${plan.objective.unit}`, align: "r" },
      { head: "memory", align: "r" },
      { head: "of its own", align: "r" },
      ...(hasCosts ? [{ head: "its cost is of", align: "l" as const }] : []),
      { head: "its memory is of", align: "l" },
    ],
    rows,
  };
}

function namesOf(parts: readonly (readonly [name: string, share: number])[]) {
  const names = parts.flatMap(([name, share]) => (share === 0 ? [] : [`${name} ${percent(share)}`]));
  return { names, most: { characters: 40, entries: 12 }, none: faint("none") };
}

function shareOf(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

function phaseCell(cost: number): Said {
  return cost === 0 ? NOTHING : significant(cost, DIGITS);
}

/** What plans come to that make another choice for the table. */
function withoutText({ without }: ExplainedTable, { plan: { objective }, request }: PlacementExplanation): Said {
  const unit = plainUnit(objective.unit);
  const own = objective.value ?? 0;
  const { kind, bound, above, value, gap } = without;
  if (kind === "not-computed" && value !== null) return [worth(value, own), faint(", no bound")];
  const said = known(NO_BOUND, kind);
  if (said !== undefined) return said;
  const at = unit.boundText(bound ?? 0);
  if (value !== null && gap !== null && gap <= request.gap) return worth(value, own);
  if (value === own) return "as good";
  const least: Said = ["at least ", at, above !== null && above > 0 ? [`, +${percentDown(above)}`] : null];
  return value === null ? least : [least, `; found ${unit.text(value)}`, faint(` (${worth(value, own)})`)];
}

const NO_BOUND = {
  none: "none within the limits",
  "only-option": faint("its only option"),
  "not-computed": faint("not computed"),
} as const;

function worth(value: number, own: number): string {
  if (value === own) return "as good";
  if (own === 0) return "dearer";
  return value < own ? `better by ${percent(1 - value / own)}` : `${percent(value / own - 1)} more`;
}

/** A share that is proved, not shown as more than it is. */
function percentDown(share: number): string {
  const value = share * 100;
  return value < 0.1 ? percent(share * (1 - 0.05)) : `${(Math.floor(value * 10) / 10).toFixed(1)} %`;
}

function rankedByChoice(tables: readonly ExplainedTable[]): readonly number[] {
  const isKnown = ({ without: { kind } }: ExplainedTable) => kind === "bound" || kind === "none";
  const lost = tables.map(({ without: { kind, above } }) =>
    kind === "none" ? Number.POSITIVE_INFINITY : Math.max(0, above ?? 0),
  );
  // Where no other plan was found, or it is dear, the choice may matter.
  const found = tables.map((table) => (isKnown(table) ? (table.without.value ?? Number.MAX_VALUE) : 0));
  const most = (list: readonly number[], a: number, b: number) => {
    const [one, other] = [list[a] as number, list[b] as number];
    return one === other ? 0 : other > one ? 1 : -1;
  };
  const costs = tables.map(({ cost }) => cost ?? 0);
  const sizes = tables.map(({ hbmBytes }) => hbmBytes);
  return [...tables.keys()].sort(
    (a, b) => most(lost, a, b) || most(found, a, b) || most(costs, a, b) || most(sizes, a, b) || a - b,
  );
}
