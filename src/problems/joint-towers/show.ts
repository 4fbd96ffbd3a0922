import { facts, nothing, paint, paragraph, table } from "../../terminal/table.js";
import { answerIn, standingOf } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { bytes, count, milliseconds, millisecondsBelow, relativeGap, significant } from "../../text/units.js";
import { boundVerdict } from "../show/proof.js";
import type { TowerPartitionPlan } from "../tower-partition/plan-file/plan-file.js";
import type { JointPlan, JointRow, JointSeconds } from "./plan-file/plan-file.js";

/** Shards of a GPU that are listed by name. */
const MOST_NAMES = 6;

/** GPUs of a cluster that are listed one by one. */
const MOST_DEVICES = 16;

/** A plan of towers, hosts and tables chosen together, as a person reads it. */
export function showTowersJoint(plan: TowerPartitionPlan, joint: JointPlan): string {
  const { strategy, kind } = plan.objective;
  const what = paint.dim(`towers, hosts and tables together, ${strategy}, ${kind}`);
  const title = `${paint.bold(printable(plan.instance.name))}  ${what}`;
  const chosen = joint.chosen === null ? [] : [showTowers(plan, joint), showDevices(joint), showFacts(plan, joint)];
  return `${[title, showRows(joint), ...chosen, showVerdict(plan, joint)].join("\n\n")}\n`;
}

/** One line for each number of towers; the chosen one is marked. */
function showRows({ rows, chosen }: JointPlan): string {
  const head = ["towers", "hosts each", "exchange", "proved bound", "gap", "ids", "partition", "largest memory", ""];
  const lines = rows.map((row) => {
    const isChosen = row.towers === chosen?.towers;
    const { seconds, idSeconds, largestBytes } = row;
    const cells = [
      String(row.towers),
      String(row.hostsPerTower),
      seconds.value === null ? nothing() : milliseconds(seconds.value),
      boundText(seconds),
      gapText(seconds.gap),
      idSeconds === null ? nothing() : milliseconds(idSeconds, 4),
      partitionText(row),
      largestBytes === null ? nothing() : bytes(largestBytes),
      isChosen ? "chosen" : (row.reason ?? ""),
    ];
    return isChosen ? cells.map((cell) => paint.bold(cell)) : cells;
  });
  return table(head, lines, "rrrrrrrrl");
}

function partitionText({ partition: { value } }: JointRow): string {
  return value === null ? nothing() : significant(value, 6);
}

function boundText({ value, bound }: JointSeconds): string {
  if (bound === null) return nothing();
  return bound === value ? milliseconds(bound) : millisecondsBelow(bound);
}

function gapText(gap: number | null): string {
  if (gap === null) return nothing();
  return relativeGap(gap);
}

function showTowers({ towers, sizes, towerCosts }: TowerPartitionPlan, { tables }: JointPlan): string {
  const head = ["tower", "features", "cost", ""];
  const splits = new Map(tables?.map(({ name, ranks, shardingType }) => [name, splitText(shardingType, ranks.length)]));
  const lines = (towers ?? []).map((names, tower) => [
    String(tower),
    String(sizes?.[tower]),
    significant(towerCosts?.[tower] as number, 6),
    names.map((name) => `${printable(name)}${splits.get(name) ?? ""}`).join(", "),
  ]);
  return table(head, lines, "rrrl");
}

/** How a table is split, beside its name: `/4` into columns, `/8r` into rows. */
function splitText(shardingType: string, shards: number): string {
  if (shardingType === "table_wise") return "";
  return `/${shards}${shardingType === "row_wise" ? "r" : ""}`;
}

function showDevices({ devices, deviceBytes, deviceElements, chosen }: JointPlan): string {
  if (devices === null || chosen === null) return "";
  const slots = devices.length / chosen.towers;
  const lines = devices.slice(0, MOST_DEVICES).map((names, rank) => {
    const shown = names.slice(0, MOST_NAMES).map(printable).join(", ");
    const more = names.length > MOST_NAMES ? `, … ${names.length - MOST_NAMES} more` : "";
    return [
      String(rank),
      String(Math.floor(rank / slots)),
      count(deviceElements?.[rank] as number),
      bytes(deviceBytes?.[rank] as number),
      `${shown}${more}`,
    ];
  });
  const rest = devices.length - lines.length;
  if (rest > 0) lines.push(["", "", "", "", `… ${count(rest)} GPUs more, see --json`]);
  return table(["GPU", "tower", "elements", "memory", ""], lines, "rrrrl");
}

function showFacts(plan: TowerPartitionPlan, joint: JointPlan): string {
  const { seconds, flat, memory, deviceBytes, steps } = joint;
  const pairs: [string, string][] = [
    [
      "exchange",
      `${paint.bold(milliseconds(seconds.value ?? 0))} per iteration  ${paint.dim("(all steps but the ids, both passes)")}`,
    ],
  ];
  pairs.push(...stepFacts(steps));
  if (seconds.bound !== null) pairs.push(["proved bound", `${boundText(seconds)}, gap ${gapText(seconds.gap)}`]);
  pairs.push(["flat exchange", flatText(joint)]);
  pairs.push(...stepFacts(flat.steps));
  const fullest = bytes(Math.max(...(deviceBytes ?? [0])));
  const limit = memory.hbmBytesPerGpu;
  pairs.push(["largest memory", limit === null ? fullest : `${fullest} of ${bytes(limit)} per GPU`]);
  const { value, bound, gap } = plan.objective;
  const proved = bound === null ? "no bound was proved" : `proved bound ${significant(bound, 6)}, gap ${gapText(gap)}`;
  pairs.push(["partition", `${significant(value ?? 0, 6)}, ${proved}`]);
  return facts(pairs);
}

/** The collectives of an exchange; moves in a GPU's own memory are none. */
function stepFacts(steps: JointPlan["steps"]): [string, string][] {
  return (steps ?? [])
    .filter(({ world }) => world > 1)
    .map(({ pass, step, world, insideHostBytes, acrossHostsBytes, seconds }) => {
      const busiest = `busiest GPU ${bytes(insideHostBytes)} inside its host, ${bytes(acrossHostsBytes)} across`;
      const ahead = step === "a" ? ", ids fetched ahead" : "";
      return [
        `  ${pass} ${step}`,
        `${milliseconds(seconds, 4)}  ${paint.dim(`${busiest}, ${count(world)} ranks${ahead}`)}`,
      ];
    });
}

function flatText({ flat: { seconds, status }, seconds: own }: JointPlan): string {
  if (seconds.value === null)
    return status === "infeasible" ? "the tables have no place on all GPUs" : "none was found";
  const bound = status === "feasible" ? `, proved bound ${millisecondsBelow(seconds.bound ?? 0)}` : "";
  const share = own.value === null || own.value === 0 ? "" : `, ${significant(seconds.value / own.value, 3)} times`;
  return `${milliseconds(seconds.value)}${share}${bound}`;
}

/** What is known for certain. */
function showVerdict(plan: TowerPartitionPlan, joint: JointPlan): string {
  return paragraph(verdictOf(plan, joint));
}

function verdictOf(plan: TowerPartitionPlan, { rows, seconds }: JointPlan): string {
  const { status, request, timing } = plan;
  const numbers = rows.map(({ towers }) => towers).join(", ");
  const exact = `checked in exact arithmetic (${significant(timing.proveSeconds * 1000, 3)} ms)`;
  if (status === "infeasible") {
    return `${paint.red("infeasible")}: no number of towers (${numbers}) has a plan within memory and sizes — ${exact}`;
  }
  if (status === "unknown")
    return `${paint.yellow("unknown")}: no plan was found, and not every number of towers is proved to have none; raise --time-limit`;
  const given = `${partitionsText(rows)} into ${numbers} towers`;
  const bound = boundText(seconds);
  const texts = {
    value: milliseconds(seconds.value ?? 0),
    bound,
    optimum: `no placement of ${given} is faster than ${bound}`,
  };
  const said = boundVerdict(answerIn(plan), texts, request.gap.toExponential());
  return `${said}${standingOf(answerIn(plan)) === "optimal" ? "" : `, of all placements of ${given}`} — ${exact}`;
}

/** What the partitions are of which the placements are compared. */
function partitionsText(rows: readonly JointRow[]): string {
  const open = rows.filter(({ status }) => status !== "infeasible").map(({ partition }) => partition);
  if (open.some(({ status }) => status !== "proved")) return "these partitions, which may not be the best,";
  const areBest = open.every(({ exact }) => exact.value === exact.bound);
  return areBest ? "these best partitions" : "these partitions, the best to the gap,";
}
