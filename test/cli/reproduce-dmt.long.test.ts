import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";

test("the tables, the bytes, the speed-ups and the picture, to a person and as JSON, the same each time", async () => {
  const { status, stdout, stderr } = await runCli(["reproduce", "dmt", "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const reproduction = JSON.parse(stdout);
  expect(reproduction).toMatchObject({ shardproof: 1, paper: "dmt" });
  expect(reproduction.table4).toHaveLength(12);

  const shown = await runCli(["reproduce", "dmt"]);
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  for (const { model, megaflops, agrees } of [...reproduction.table4, ...reproduction.table5]) {
    const ours = megaflops.ours.toFixed(3);
    const paper = megaflops.published.toFixed(2);
    expect(shown.stdout).toMatch(new RegExp(`${model} +${ours} +${paper} .* ${agrees ? "yes" : "no"}\n`));
  }
  const a100 = reproduction.speedUps.filter((each: { family: string; gpu: string }) => {
    return each.family === "DLRM" && each.gpu === "A100";
  });
  const line = a100.map(({ speedUp }: { speedUp: number }) => speedUp.toFixed(2)).join(" +");
  expect(shown.stdout).toMatch(new RegExp(`DLRM +A100 +${line}\n`));
  expect(shown.stdout).toContain("fitted to 4.6×");
  expect(shown.stdout).toContain("synthetic; the paper's matrix is not published");

  const again = await runCli(["reproduce", "dmt", "--json"]);
  expect(again.stdout).toBe(stdout);
});
