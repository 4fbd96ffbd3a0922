import { bytesAt } from "../../../facts/facts.js";
import { left, NOTHING, type PlanTable, right, tableOf } from "../../../facts/plan-table.js";
import { PHASES } from "../../../instance/types/table-placement.js";
import { known } from "../../../text/known.js";
import { faint, quantity, type Said } from "../../../text/said.js";
import { percent, significant } from "../../../text/units.js";
import { plainUnit } from "../../../text/value-unit.js";
import type { ExplainedDevice, ExplainedTable, PlacementExplanation } from "../plan-file/explanation.js";
import { costHead, costliest } from "./devices.js";
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
  const at = (t: number) => tables[t] as ExplainedTable;
  const costOf = ({ cost }: ExplainedTable, path: string) =>
    cost === null ? NOTHING : quantity(path, cost, significant(cost, DIGITS));
  const shown = ranked.slice(0, MAX_TABLES);
  const table = tableOf(
    "The tables, and what the choice of each is worth",
    [...shown, ...ranked],
    [
      left("table", (t) => at(t).name),
      left("option", (t) => optionText(at(t))),
      left("GPUs", (t) => ranksText(at(t).ranks)),
      right(costHead(plan.objective), (t) => costOf(at(t), `tables.${t}.cost`)),
      ...phases.map((phase) => right<number>(PHASE_NAMES[phase], (t) => phaseCell(at(t).phases?.[phase] ?? 0))),
      right("memory", (t) => bytesAt(`tables.${t}.hbmBytes`, at(t).hbmBytes)),
      left("plans without this option", (t) => withoutText(at(t), explanation)),
    ],
    (t, k) => ({ about: at(t).name, on: k < shown.length ? "terminal" : "page" }),
  );
  return { ...table, leads: true };
}

/** How many tables the terminal leaves out. */
export function tablesLeftOut({ tables }: PlacementExplanation): number {
  return Math.max(0, tables.length - MAX_TABLES);
}

/** What fills the devices: by cost, and by memory. */
export function filledDevices({ devices, plan, tables }: PlacementExplanation): PlanTable {
  const hasCosts = tables.every(({ cost }) => cost !== null);
  const listed = costliest(devices.map(({ cost }) => cost));
  const all = [...devices.keys()];
  const at = (d: number) => devices[d] as ExplainedDevice;
  return tableOf(
    "What fills every device",
    listed === null ? all : [...listed, ...all],
    [
      right("device", (d) => String(at(d).device)),
      right(costHead(plan.objective), (d) =>
        quantity(`deviceCosts.${at(d).device}`, at(d).cost, significant(at(d).cost, 6)),
      ),
      right("memory", (d) => bytesAt(`deviceBytes.${at(d).device}`, at(d).hbmBytes)),
      right("of its own", (d) => {
        const { hbmLimit, hbmBytes } = at(d);
        return hbmLimit === null || hbmLimit === 0 ? NOTHING : percent(hbmBytes / hbmLimit);
      }),
      hasCosts
        ? left("its cost is of", (d) =>
            namesOf(at(d).tables.map(({ name, cost: part }) => [name, shareOf(part ?? 0, at(d).cost)])),
          )
        : null,
      left("its memory is of", (d) => {
        const held = at(d).tables.toSorted((a, b) => b.hbmBytes - a.hbmBytes);
        return namesOf(held.map((one) => [one.name, shareOf(one.hbmBytes, at(d).hbmBytes)]));
      }),
    ],
    (d, k) => ({
      isStrong: at(d).isLargest,
      ...(listed === null ? {} : { on: k < listed.length ? ("terminal" as const) : ("page" as const) }),
    }),
  );
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
