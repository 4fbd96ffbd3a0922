import { answerTexts, goalBound } from "../../facts/facts.js";
import { paint, paragraph, table } from "../../terminal/table.js";
import { answerIn, standingOf } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { bytes, count, significant } from "../../text/units.js";
import { showFacts } from "../show/facts.js";
import { boundVerdict, unknownVerdict } from "../show/proof.js";
import { showTable } from "../show/table.js";
import type { TowerPartitionPlan } from "../tower-partition/plan-file/plan-file.js";
import { jointFacts, jointGoal } from "./facts.js";
import type { JointPlan, JointRow } from "./plan-file/plan-file.js";
import { rowTable } from "./tables.js";

/** Shards of a GPU that are listed by name. */
const MAX_NAMES = 6;

/** GPUs of a cluster that are listed one by one. */
const MAX_DEVICES = 16;

/** A plan of towers, hosts and tables chosen together, as a person reads it. */
export function showTowersJoint(plan: TowerPartitionPlan, joint: JointPlan): string {
  const { strategy, kind } = plan.objective;
  const what = paint.dim(`towers, hosts and tables together, ${strategy}, ${kind}`);
  const title = `${paint.bold(printable(plan.instance.name))}  ${what}`;
  const chosen =
    joint.chosen === null
      ? []
      : [showTowers(plan, joint), showDevices(joint), showFacts(jointFacts({ ...plan, joint }))];
  return `${[title, showTable(rowTable(joint)), ...chosen, showVerdict(plan, joint)].join("\n\n")}\n`;
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
  const lines = devices.slice(0, MAX_DEVICES).map((names, rank) => {
    const shown = names.slice(0, MAX_NAMES).map(printable).join(", ");
    const more = names.length > MAX_NAMES ? `, … ${names.length - MAX_NAMES} more` : "";
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

/** What is known for certain. */
function showVerdict(plan: TowerPartitionPlan, joint: JointPlan): string {
  return paragraph(verdictOf(plan, joint));
}

function verdictOf(plan: TowerPartitionPlan, joint: JointPlan): string {
  const { rows } = joint;
  const { status, request, timing } = plan;
  const numbers = rows.map(({ towers }) => towers).join(", ");
  const exact = `checked in exact arithmetic (${significant(timing.proveSeconds * 1000, 3)} ms)`;
  if (status === "infeasible") {
    return `${paint.red("infeasible")}: no number of towers (${numbers}) has a plan within memory and sizes — ${exact}`;
  }
  if (status === "unknown")
    return unknownVerdict("no plan was found, and not every number of towers is proved to have none", request);
  const given = `${partitionsText(rows)} into ${numbers} towers`;
  const goal = jointGoal({ joint });
  const texts = answerTexts(goal, [`no placement of ${given} is faster than `, goalBound(goal)]);
  const said = boundVerdict(answerIn(plan), texts, request.gap);
  return `${said}${standingOf(answerIn(plan)) === "optimal" ? "" : `, of all placements of ${given}`} — ${exact}`;
}

/** What the partitions are of which the placements are compared. */
function partitionsText(rows: readonly JointRow[]): string {
  const open = rows.filter(({ status }) => status !== "infeasible").map(({ partition }) => partition);
  if (open.some(({ status }) => status !== "proved")) return "these partitions, which may not be the best,";
  const areBest = open.every(({ exact }) => exact.value === exact.bound);
  return areBest ? "these best partitions" : "these partitions, the best to the gap,";
}
