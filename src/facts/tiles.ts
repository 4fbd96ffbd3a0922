import { type Answer, methodName, standingOf, standingWords } from "../text/optimality.js";
import type { Said } from "../text/said.js";
import { aboveText, percent } from "../text/units.js";
import { type Goal, goalBound, goalGap, goalValue } from "./facts.js";

/** One thing of a plan in large type: what it is, its value with its unit, and what stands below it in small. */
export interface Tile {
  readonly name: string;
  readonly value: Said;
  readonly beside: Said;
  /** News that is good or bad to the eye as well. */
  readonly mark?: "good" | "bad";
}

/** What the plan comes to. */
export function goalTile(goal: Goal, name: string): Tile {
  const beside: Said = goal.bound === null ? "no bound was proved" : ["proved bound ", goalBound(goal)];
  return { name, value: goalValue(goal), beside };
}

/** How good the answer is, and whether that is proved; `among` which plans, where not all. */
export function proofTile(answer: Answer, goal: Goal, among = ""): Tile {
  const name = "proof";
  switch (standingOf(answer)) {
    case "optimal":
      return {
        name,
        value: "Optimal",
        beside: `proved: no plan${among || " within the limits"} is better`,
        mark: "good",
      };
    case "within":
      return {
        name,
        value: "Proved",
        beside: `${standingWords(answer).replace(/, proved$/, "")}${among}`,
        mark: "good",
      };
    case "infeasible":
      return { name, value: "Infeasible", beside: `proved: no plan${among} keeps to the limits`, mark: "bad" };
    case "found":
      if (goal.gap !== null) {
        const value = goal.gap === 0 ? "Open" : ["Gap ", goalGapAlone(goal)];
        return { name, value, beside: `of the proved bound, up to the best plan found${among}` };
      }
      return { name, value: "No bound", beside: standingWords(answer) };
    case "heuristic":
      return { name, value: "No bound", beside: standingWords(answer) };
    default:
      return { name, value: "Open", beside: standingWords(answer) };
  }
}

/** The gap without the words before it. */
function goalGapAlone(goal: Goal): Said {
  const said = goalGap(goal);
  return Array.isArray(said) ? (said[1] as Said) : said;
}

/** A published method beside the plan; one that breaks a limit, or found nothing, is no rival. */
export interface Rival {
  readonly method: string;
  readonly value: number | null;
  readonly status: string | null;
}

/** The plan against the best of the published methods that keep to all limits; none where there is nothing to compare. */
export function rivalTiles(
  goal: Goal,
  rivals: readonly Rival[],
  path: string,
  title: (method: string) => string = methodName,
): readonly Tile[] {
  const name = "against published methods";
  if (goal.value === null || rivals.length === 0) return [];
  const best = rivals.reduce<{ readonly k: number; readonly value: number } | null>((least, { value, status }, k) => {
    const isPlan = status === "plan" || status === "within-budget";
    return isPlan && value !== null && (least === null || value < least.value) ? { k, value } : least;
  }, null);
  if (best === null)
    return [{ name, value: "None fits", beside: "no published method that was run keeps to the limits" }];
  const text = { path: `${path}.${best.k}.value`, value: best.value, text: goal.unit.text(best.value) };
  const beside: Said = [`${title((rivals[best.k] as Rival).method)}, the best of those run: `, text];
  return [{ name, value: changeText(goal.value, best.value), beside }];
}

/** How much more or less a value is than another: `−12.0 %`, `+3.1 %`, `Equal`. */
export function changeText(value: number, other: number): string {
  if (value === other) return "Equal";
  if (other === 0) return value > 0 ? "More" : "Less";
  const share = (value - other) / Math.abs(other);
  return share < 0 ? `−${percent(-share)}` : share > 9 ? aboveText(share) : `+${percent(share)}`;
}
