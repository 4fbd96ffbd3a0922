import { paint } from "../../../terminal/table.js";
import { printable } from "../../../text/printable.js";
import { count, percent, significant, significantBelow } from "../../../text/units.js";
import type { PlacementPrice, TablePlacementPlan } from "../plan-file/plan-file.js";

/** Digits of costs. */
const DIGITS = 6;

/** Tables that moved listed by name. */
const MOST_NAMED = 8;

/** Names of the goals as people read them. */
export const GOAL_NAMES = {
  "largest-device-cost": "largest device cost",
  "sum-of-phase-maxima": "sum of phase maxima",
  sum: "sum of all devices",
  "second-largest": "second largest device",
} as const;

/** A cost with its unit. */
export function amount({ objective: { unit } }: TablePlacementPlan, value: number): string {
  return withUnit(significant(value, DIGITS), unit);
}

export function withUnit(text: string, unit: string | null): string {
  return unit === null ? text : `${text} ${printable(unit)}`;
}

/** A proved bound, never shown as more than it is. */
export function boundText(
  plan: TablePlacementPlan,
  { value, bound }: { value: number | null; bound: number | null },
): string {
  if (bound === null) return "none";
  const text = bound === value ? significant(bound, DIGITS) : significantBelow(bound, DIGITS);
  return withUnit(text, plan.objective.unit);
}

/** Phases, the second goal and the tables that moved, where the instance asks for them. */
export function goalFacts(plan: TablePlacementPlan): [string, string][] {
  const { phases, second, moves } = plan;
  const pairs: [string, string][] = [];
  for (const { phase, cost, device } of phases ?? []) {
    pairs.push([`  ${phase}`, cost === 0 ? "0" : `${amount(plan, cost)}  ${paint.dim(`(device ${device})`)}`]);
  }
  if (second !== null) {
    const proof = second.status === null ? "not proved" : `proved bound ${boundText(plan, second)}`;
    pairs.push([`then ${GOAL_NAMES[second.goal]}`, `${amount(plan, second.value)}  ${paint.dim(`(${proof})`)}`]);
  }
  if (moves !== null) {
    const { moved, mostMoved } = moves;
    const named = moved.slice(0, MOST_NAMED).map(printable);
    if (moved.length > named.length) named.push(`… ${count(moved.length - named.length)} more`);
    const names = named.length === 0 ? "" : `: ${named.join(", ")}`;
    pairs.push(["moved", `${count(moved.length)} of at most ${count(mostMoved)} tables${names}`]);
  }
  return pairs;
}

/** What more memory and one more device would do, as far as anything is known of it. */
export function priceFacts(plan: TablePlacementPlan): [string, string][] {
  if (plan.prices === null) return [];
  const { gibPerGpu, device } = plan.prices;
  const deviceName = device.change.startsWith("one more node") ? "one more node" : "one more device";
  const prices = [["1 GiB more per GPU", gibPerGpu] as const, [deviceName, device] as const];
  return prices
    .filter(([, { value, rate }]) => value !== null || (rate ?? 0) !== 0)
    .map(([name, price]) => [name, priceText(plan, price)]);
}

function priceText(plan: TablePlacementPlan, price: PlacementPrice): string {
  const { rate, value, difference, reason } = price;
  const own = plan.objective.value ?? 0;
  const pooled = rate === null ? "" : `; pooled bound ${rate === 0 ? "unchanged" : `${amount(plan, -rate)} less`}`;
  if (value === null || difference === null) return `${paint.dim(`not known: ${printable(reason ?? "")}`)}${pooled}`;
  const isProved = price.proof !== undefined;
  if (difference === 0) return `changes nothing${isProved ? "" : ", not proved"}${pooled}`;
  const share = own === 0 ? "" : ` (${percent(Math.abs(difference) / own)})`;
  return `${amount(plan, Math.abs(difference))} ${difference < 0 ? "less" : "more"}${share}${isProved ? ", proved" : ", not proved"}${pooled}`;
}
