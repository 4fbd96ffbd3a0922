import { afterEach, describe, expect, test } from "vitest";
import { helpAtWidth } from "../../../src/cli/terminal/help-lines.js";
import type { JointPlan } from "../../../src/problems/joint-towers/plan-file/plan-file.js";
import { showTowersJoint } from "../../../src/problems/joint-towers/show.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { rowTiersFrontier } from "../../../src/problems/row-tiers/frontier/frontier.js";
import { showFrontier } from "../../../src/problems/row-tiers/show/frontier.js";
import { showPlan } from "../../../src/problems/row-tiers/show/plan.js";
import { explainPlacement } from "../../../src/problems/table-placement/explain/explain.js";
import { showExplanation } from "../../../src/problems/table-placement/show/explanation.js";
import { showPlacement } from "../../../src/problems/table-placement/show/plan.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";
import { showTowers } from "../../../src/problems/tower-partition/show/plan.js";
import { bar } from "../../../src/terminal/bar.js";
import { plot } from "../../../src/terminal/plot.js";
import { plotTop } from "../../../src/text/plot-range.js";
import { planRowTiers, planTowerPartition } from "../../support/planned.js";

const { isTTY, columns } = process.stdout;
const COLUMNS = 80;

function terminal(width: number): void {
  Object.assign(process.stdout, { isTTY: true, columns: width });
}

afterEach(() => {
  Object.assign(process.stdout, { isTTY, columns });
});

function tooWide(text: string): string[] {
  return text.split("\n").filter((line) => line.length > COLUMNS);
}

describe("on a terminal of 80 columns no line is broken by the terminal", () => {
  test("a plan of row tiers with its verdict", async () => {
    const plan = await planRowTiers("instances/paper/flexshard-rm1.yaml");
    const whole = showPlan(plan);
    expect(tooWide(whole)).not.toEqual([]);
    terminal(COLUMNS);
    const shown = showPlan(plan);
    expect(tooWide(shown)).toEqual([]);
    const verdict = (text: string) => text.slice(text.indexOf("\nproved: ")).replace(/\s+/g, " ");
    expect(verdict(shown)).toBe(verdict(whole));
  });

  test("a frontier with its plot, its legend and its verdict", async () => {
    const report = await rowTiersFrontier("instances/paper/flexshard-rm1.yaml", { points: 3 });
    terminal(COLUMNS);
    const shown = showFrontier(report);
    expect(tooWide(shown)).toEqual([]);
    // The axis is as long as the terminal has room for.
    const axis = shown.split("\n").find((line) => line.includes("└─")) as string;
    expect(axis).toHaveLength(COLUMNS);
  });

  test("placements and towers", async () => {
    const placed = await planTablePlacement("instances/tiny/placement-migration.yaml");
    const towers = await planTowerPartition("instances/tiny/towers-load.yaml");
    const joint = await planTowerPartition("instances/tiny/towers-joint.yaml");
    terminal(COLUMNS);
    expect(tooWide(showPlacement(placed))).toEqual([]);
    expect(tooWide(showTowers(towers))).toEqual([]);
    expect(tooWide(showTowersJoint(joint, joint.joint as JointPlan))).toEqual([]);
  });
});

test("why a placement is as it is fits too, its last column of words broken between them", async () => {
  const instance = await loadInstance("instances/tiny/placement-torchrec.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a placement");
  const plan = await planTablePlacement(instance);
  const explanation = await explainPlacement(plan, instance, { timeLimitSeconds: 60 });
  const whole = showExplanation(explanation);
  expect(tooWide(whole)).not.toEqual([]);
  terminal(COLUMNS);
  expect(tooWide(showExplanation(explanation))).toEqual([]);
});

test("single values that are far above all others do not press a plot flat", () => {
  expect(plotTop([447, 30, 6, 5.4, 5.2, 5.16, 5.16])).toBeLessThan(11);
  expect(plotTop([9, 6, 5])).toBe(9);
  expect(plotTop([0, 100])).toBe(100);
});

test("bars are as long as their share, where a terminal has such letters", () => {
  const { LC_ALL, TERM } = process.env;
  Object.assign(process.env, { LC_ALL: "C.UTF-8", TERM: "xterm" });
  expect(bar(0.5, 8)).toBe("");
  terminal(COLUMNS);
  expect([bar(1, 4), bar(0.5, 4), bar(0.0625, 2)]).toEqual(["████", "██  ", "▏ "]);
  process.env.TERM = "dumb";
  expect(bar(1, 4)).toBe("");
  for (const [name, value] of Object.entries({ LC_ALL, TERM })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test("a plot is as wide as there is room for, down to what still is a plot", () => {
  const frame = { x: [0, 1], y: [0, 1], xLabel: String, yLabel: (value: number) => `${value.toFixed(1)} ms` } as const;
  const width = (room: number) =>
    Math.max(
      ...plot({ ...frame, room }, [{ mark: "o", points: [[1, 1]] }])
        .split("\n")
        .map((line) => line.length),
    );
  expect([width(200), width(80), width(50), width(1)]).toEqual([82, 80, 50, 34]);
});

describe("help", () => {
  const PARAGRAPH =
    "Exit status: 0 everything that was asked for holds, and is\nproved; 5 something does not; 2 bad input.\n";

  test("a paragraph is set anew where one of its lines is too wide", () => {
    expect(helpAtWidth(PARAGRAPH, 58)).toBe(PARAGRAPH);
    expect(helpAtWidth(PARAGRAPH, 45).split("\n")).toEqual([
      "Exit status: 0 everything that was asked for",
      "holds, and is proved; 5 something does not; 2",
      "bad input.",
      "",
    ]);
  });

  test("a command goes on as a shell wants it", () => {
    expect(helpAtWidth("  $ shardproof export plan.json --to torchrec --out sharding.json", 50)).toBe(
      "  $ shardproof export plan.json --to torchrec \\\n      --out sharding.json",
    );
  });

  test("a terminal of a few columns gets the text as it is", () => {
    expect(helpAtWidth(PARAGRAPH, 10)).toBe(PARAGRAPH);
  });
});
