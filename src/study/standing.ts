import { count, some } from "../text/units.js";
import type { Row } from "./row.js";

/** What there is to say of a study before its numbers. */
export interface StandingFact {
  readonly name: string;
  readonly text: string;
  /** The numbers below are not what was asked for. */
  readonly isBad: boolean;
}

/** How much of a study is done, and whether it holds. */
export function standingOf(rows: readonly Row[]): readonly StandingFact[] {
  const number = (is: (row: Row) => boolean) => rows.filter(is).length;
  const missing = number(({ status }) => status === "missing");
  const failed = number(({ verified }) => verified === false);
  const stopped = number(({ stopped: is, status }) => is || status === "feasible" || status === "unknown");
  const instances = new Set(rows.map(({ line }) => line.instance.sha256)).size;
  const fact = (name: string, text: string, isBad = true): StandingFact => ({ name, text, isBad });
  return [
    fact("plans", `${count(rows.length)} asked for, of ${some(instances, "instance")}`, false),
    fact("checked", `${count(rows.length - missing - failed)} results read and derived again`, false),
    ...(failed === 0 ? [] : [fact("failed", `${some(failed, "result")}`)]),
    ...(missing === 0 ? [] : [fact("not done", `${some(missing, "plan")} missing`)]),
    ...(stopped === 0 ? [] : [fact("ended by a limit", some(stopped, "plan"), false)]),
  ];
}
