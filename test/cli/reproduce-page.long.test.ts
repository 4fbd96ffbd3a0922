import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "./run-cli.js";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-papers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the page and every number, beside what the terminal says, the same bytes each time", async () => {
  const folder = temporaryFolder();
  const files = (k: number) => ({ out: join(folder, `page-${k}.html`), csv: join(folder, `numbers-${k}.csv`) });
  const run = async (k: number, papers: readonly string[]) => {
    const { out, csv } = files(k);
    const { status, stdout, stderr } = await runCli(["reproduce", ...papers, "--quick", "--out", out, "--csv", csv]);
    expect([status, stderr]).toEqual([0, ""]);
    return { stdout, page: readFileSync(out, "utf8"), csv: readFileSync(csv, "utf8") };
  };
  const first = await run(1, ["dmt", "flexshard"]);
  expect(await run(2, ["dmt", "flexshard"])).toEqual(first);
  expect(first.stdout).toMatch(/^DMT\n[\s\S]*\nFlexShard\n/);
  const alone = await runCli(["reproduce", "dmt"]);
  expect(first.stdout).toContain(alone.stdout);
  const lines = first.csv.trimEnd().split("\r\n");
  // `of 70 numbers 23 hold, 4 do not, 43 cannot be checked here`
  const said = [...first.stdout.matchAll(/of (\d+) numbers (\d+) hold, (\d+) do not, (\d+) cannot/g)];
  expect(said).toHaveLength(2);
  for (const [k, paper] of ["dmt", "flexshard"].entries()) {
    const of = (verdict: string) =>
      lines.filter(
        (line) => line.startsWith(`${paper},`) && line.includes(",number,") && line.includes(`,${verdict},`),
      );
    const counted = ["holds", "does not hold", "cannot be checked"].map((verdict) => of(verdict).length);
    expect((said[k] as RegExpMatchArray).slice(2, 5).map(Number)).toEqual(counted);
  }
  expect(first.page).toContain('<section class="plan" id="dmt">');
  expect(first.page).toContain('<section class="plan" id="flexshard">');
}, 300_000);

test("several papers as a list, each with its numbers; one as it is", async () => {
  const { status, stdout } = await runCli(["reproduce", "dmt", "flexshard", "--quick", "--json"]);
  expect(status).toBe(0);
  const [dmt, flexshard] = JSON.parse(stdout);
  expect([dmt.paper, dmt.numbers.length, flexshard.models.length, flexshard.numbers.length]).toEqual([
    "dmt",
    73,
    4,
    118,
  ]);
  const alone = JSON.parse((await runCli(["reproduce", "dmt", "--json"])).stdout);
  expect(alone).toEqual(dmt);
});

test("files that cannot be written, and papers named twice, are one line before any work", async () => {
  const folder = temporaryFolder();
  const missing = join(folder, "no", "page.html");
  const taken = join(folder, "taken");
  mkdirSync(taken);
  const page = join(folder, "page.html");
  for (const [args, says] of [
    [["dmt", "--out", missing], /^\S*page\.html: expected a folder that can be written to, received .*no such folder/],
    [["dmt", "--csv", missing], /^\S*page\.html: expected a folder that can be written to, received .*no such folder/],
    [["dmt", "--out", taken], /^\S*taken: expected a file that can be written, received a directory/],
    [["dmt", "--out", "-"], /^expected a file to write, received -/],
    [["dmt", "--out", page, "--csv", page], /^error: --out and --csv are both .*page\.html/],
    [["dmt", "flexshard", "dmt"], /^error: dmt is named twice/],
    [["dmt", "autoshrd"], /^error: there is nothing to reproduce of "autoshrd"; did you mean autoshard\?/],
  ] as const) {
    const { status, stdout, stderr } = await runCli(["reproduce", ...args]);
    expect([args, status, stdout]).toEqual([args, 2, ""]);
    expect(stderr).toMatch(says);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
  expect(readdirSync(folder)).toEqual(["taken"]);
}, 300_000);

test("what the time limit left out is said on the page, and is exit status 3", async () => {
  const out = join(temporaryFolder(), "page.html");
  const { status } = await runCli(["reproduce", "autoshard", "--time-limit", "0.001", "--out", out]);
  expect(status).toBe(3);
  expect(readFileSync(out, "utf8")).toContain("Not reached in the time limit:");
});
