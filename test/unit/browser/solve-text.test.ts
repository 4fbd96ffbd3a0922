import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BrowserReply } from "../../../src/browser/protocol.js";
import { solveText } from "../../../src/browser/solve-text.js";

async function replies(file: string, text: string, format?: "mps" | "lp"): Promise<BrowserReply[]> {
  const all: BrowserReply[] = [];
  await solveText({ file, text, timeLimitSeconds: 60, ...(format && { format }) }, (reply) => {
    // How many there are depends on the machine.
    if (reply.type !== "progress") all.push(reply);
  });
  return all;
}

describe("solveText", () => {
  test("answers, then reports", async () => {
    const text = readFileSync("instances/tiny/placement-given.yaml", "utf8");
    const [answer, report, ...rest] = await replies("mine.yaml", text);
    if (answer?.type !== "answer" || report?.type !== "report") throw new Error("an answer and a report were expected");
    expect(answer.answer).toMatchObject({ name: "placement-given", status: "proved" });
    expect(Object.fromEntries(answer.answer.facts)).toMatchObject({
      value: "11.0000",
      "proved bound": "11.0000",
      gap: "0",
    });
    expect(JSON.parse(answer.plan.text).instance.file).toBe("mine.yaml");
    expect(answer.plan.name).toBe("placement-given.plan.json");
    expect(report.isVerified).toBe(true);
    expect(report.page.text).toContain("<!doctype html>");
    expect(rest).toEqual([{ type: "done" }]);
  });

  test("solves a program", async () => {
    const text = readFileSync("instances/programs/production.lp", "utf8");
    const [answer, done] = await replies("production.lp", text, "lp");
    if (answer?.type !== "answer") throw new Error("an answer was expected");
    expect(answer.answer).toMatchObject({ name: "production.lp", status: "proved" });
    expect(answer.terminal).toContain("11909/19");
    expect(done).toEqual({ type: "done" });
  });

  test("says why there is no plan", async () => {
    const text = readFileSync("instances/tiny/infeasible.yaml", "utf8");
    const [answer] = await replies("infeasible.yaml", text);
    if (answer?.type !== "answer") throw new Error("an answer was expected");
    expect(answer.answer.status).toBe("infeasible");
    expect(Object.fromEntries(answer.answer.facts).because).toContain("the budget is 1155");
  });

  test("names the file that was given where the input is wrong", async () => {
    expect(await replies("mine.yaml", "shardproof: 2\n")).toEqual([
      { type: "failure", isInput: true, message: expect.stringMatching(/^mine\.yaml:1:13: shardproof: expected 1/) },
      { type: "done" },
    ]);
    const [failure] = await replies("mine.lp", "Minimize\n x +\n", "lp");
    expect(failure).toMatchObject({
      type: "failure",
      isInput: true,
      message: expect.stringMatching(/^mine\.lp:\d+:\d+: /),
    });
  });
});
