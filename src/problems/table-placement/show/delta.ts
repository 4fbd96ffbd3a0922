import type { PlacementDelta } from "../../../../models/table-placement/migration/delta.js";
import type { Fact } from "../../../facts/facts.js";
import { paint, paragraph, table } from "../../../terminal/table.js";
import { printable } from "../../../text/printable.js";
import { bytes, count, percent, significant, some } from "../../../text/units.js";
import { showFacts } from "../../show/facts.js";
import { worthFacts } from "../worth-facts.js";

/** What the simulation of a delta found. */
interface Simulated {
  readonly wrong: readonly string[];
}

/** Steps and names listed before only their number is. */
const MAX_STEPS = 20;
const MAX_NAMED = 8;

/** A delta as a person reads it. */
export function showDelta(delta: PlacementDelta, simulated: Simulated): string {
  const title = `${paint.bold(printable(delta.to.instance.name))}  ${paint.dim(`delta from ${printable(delta.from.instance.name)}`)}`;
  const parts = [title, showSteps(delta), showFacts(deltaFacts(delta)), paragraph(verdictOf(delta, simulated))];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function showSteps({ schedule: { steps, memories }, new: made, bytes: sums }: PlacementDelta): string {
  if (sums.received === 0 && steps.length <= 1) return "";
  const rows = steps.slice(0, MAX_STEPS).map(({ moves, parks, frees, during, seconds }, number) => {
    const shards = moves.filter(({ new: index }) => made[index]?.stays === null);
    const received = shards.reduce(
      (sum, { new: index, links }) =>
        sum + links.reduce((own, link, k) => (link === "local" ? own : own + (made[index]?.reads[k]?.bytes ?? 0)), 0),
      parks.reduce((sum, park) => sum + park.bytes, 0),
    );
    const fullest = memories.reduce(
      (best, { memory, number: of, limit }, k) => {
        const share = limit === null || limit === 0 || memory !== "hbm" ? 0 : (during[k] as number) / limit;
        return share > best.share ? { share, device: of } : best;
      },
      { share: 0, device: 0 },
    );
    return [
      `${number + 1}`,
      count(shards.length),
      parks.length === 0 ? "" : count(parks.length),
      count(frees.length),
      bytes(received),
      seconds === null ? "·" : `${significant(seconds, 4)} s`,
      fullest.share === 0 ? "" : `device ${fullest.device} ${percent(fullest.share)}`,
    ];
  });
  const head = ["step", "shards made", "put aside", "freed", "bytes moved", "time", "fullest"];
  const rest = steps.length > MAX_STEPS ? `\n  ${paint.dim(`and ${some(steps.length - MAX_STEPS, "more step")}`)}` : "";
  return `${table(head, rows, "rrrrrrl")}${rest}`;
}

function deltaFacts(delta: PlacementDelta): readonly Fact[] {
  const { tables, bytes: sums, seconds, schedule, worth } = delta;
  const fact = (name: string, said: string | null): readonly Fact[] => (said === null ? [] : [{ name, said }]);
  const link = (name: string, amount: number) => fact(name, amount === 0 ? null : bytes(amount));
  return [
    ...fact("tables that move", namesOf(tables.moved) ?? "none"),
    ...fact("new tables", namesOf(tables.added)),
    ...fact("dropped tables", namesOf(tables.dropped)),
    ...fact("counted whole", namesOf(tables.countedWhole)),
    ...fact("received", `${bytes(sums.received)} of parameters and optimizer state`),
    ...link("  inside hosts", sums.inside),
    ...link("  between hosts", sums.between),
    ...link("  to or from host", sums.host),
    ...link("  put aside first", sums.parked),
    ...fact(
      "seconds of moving",
      seconds === null ? null : `${significant(seconds, 4)} s in ${some(schedule.steps.length, "step")}`,
    ),
    ...extraFacts(delta),
    ...worthFacts(worth),
  ];
}

function extraFacts({ schedule: { withoutParking: extra, status } }: PlacementDelta): readonly Fact[] {
  if (extra === null) return [];
  const { atLeast, found, because } = extra;
  const name = status === "fits" ? "without putting aside" : "more memory needed";
  if (atLeast === found) return [{ name, said: `${bytes(found)} on every memory, the least there is (${because})` }];
  return [
    { name, said: `${bytes(found)} on every memory are enough, at least ${bytes(atLeast)} are needed (${because})` },
  ];
}

function namesOf(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const shown = names.slice(0, MAX_NAMED).map(printable);
  if (names.length > shown.length) shown.push("…");
  return `${count(names.length)}: ${shown.join(", ")}`;
}

function verdictOf({ schedule: { status, extraBytes } }: PlacementDelta, { wrong }: Simulated): string {
  if (wrong.length > 0) {
    return `${paint.red("differs")}: the simulation of the steps, rank by rank, does not agree: ${wrong[0]}`;
  }
  const said = "simulated rank by rank: every byte is counted and arrives";
  if (status === "fits") return `${paint.green("fits")}: no memory is exceeded in any step; ${said}`;
  return `${paint.yellow("needs more memory")}: these steps need ${bytes(extraBytes)} more than there is; ${said}`;
}
