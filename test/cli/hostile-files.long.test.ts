import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { someOf } from "../support/draws.js";
import { runCli, runProcess, temporaryFolder } from "./run-cli.js";

/** JavaScript's memory ends here; what asks for more dies of it. */
const env = { NODE_OPTIONS: "--max-old-space-size=900" };

const plan = (fields: string, problem = "row-tiers") =>
  `{"shardproof":1,"problem":"${problem}","digest":"none",${fields}}`;

const fiveMillion = () => `[${Array(5e6).fill('""').join(",")}]`;

/** [what, the text of a plan, exit status, what is said of it]. */
const PLANS: [string, () => string, number, RegExp][] = [
  ["a string of 16 MB", () => plan(`"x":"${"a".repeat(16e6)}"`), 5, /the file was changed/],
  ["40 MB of backslashes", () => plan(`"x":"${"\\\\".repeat(2e7)}"`), 5, /the file was changed/],
  ["lists 20,000 deep", () => plan(`"x":${"[".repeat(20_000)}${"]".repeat(20_000)}`), 2, /nested at most 1,000 deep/],
  ["a hundred thousand [", () => "[".repeat(100_000), 2, /nested at most 1,000 deep/],
  ["1e-100001", () => plan('"x":1e-100001'), 5, /no number is written as 1e-100001/],
  [
    "a list of five million where there is one text",
    () => plan(`"instance":${fiveMillion()}`),
    5,
    /instance: expected object/,
  ],
  [
    "a list of five million bad entries",
    () => plan(`"instance":{"name":"","sha256":"","file":""},"tables":${fiveMillion()}`, "table-placement"),
    5,
    /readable/,
  ],
  ["3,000 times 0e-99999", () => plan(`"x":[${Array(3000).fill("0e-99999").join(",")}]`), 5, /the file was changed/],
  ["40 MB of blanks", () => " ".repeat(4e7), 2, /not JSON/],
];

describe("a plan file ends with one sentence", () => {
  it.each(someOf(PLANS, 4))("%s", { timeout: 300_000 }, async (_, text, status, said) => {
    const file = join(temporaryFolder(), "plan.json");
    writeFileSync(file, text());
    const ended = await runProcess(["verify", file], { env });
    expect([ended.status, ended.stderr.split("\n").length]).toEqual([status, status === 2 ? 2 : 1]);
    expect(ended.stdout + ended.stderr).toMatch(said);
    expect((ended.stdout + ended.stderr).length).toBeLessThan(2000);
  });
});

test("a program with absurd exponents ends at the first", async () => {
  const file = join(temporaryFolder(), "m.lp");
  const terms = Array.from({ length: 300 }, (_, j) => `+ 1${j}e90000 x${j}`).join("\n");
  writeFileSync(file, `min\n${terms}\nst\n c: x0 >= 1\nend\n`);
  const { status, stderr } = await runProcess(["solve", file], { env });
  expect([status, stderr]).toEqual([
    2,
    `${file}:2:3: expected a number of sensible size: "10e90000" has an exponent beyond 5000\n`,
  ]);
});

test.each([`a: ${"[".repeat(100_000)}`, "- ".repeat(100_000), `a: {${"b: {".repeat(50_000)}`])(
  "an instance that is nested too deeply ends with one sentence",
  async (text) => {
    const { status, stderr } = await runProcess(["plan", "-"], { env, input: text });
    expect(stderr).toMatch(/^-: expected lists and maps nested at most 1,000 deep, received deeper ones; [^\n]*\n$/);
    expect(status).toBe(2);
  },
);

test("a model packed with gzip is read, and one that unpacks without end is not", async () => {
  const folder = temporaryFolder();
  const [good, bomb, cut] = ["m.lp.gz", "bomb.lp.gz", "cut.mps.gz"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const packed = gzipSync("min\n x\nst\n c: x >= 3\nend\n");
  writeFileSync(good, packed);
  writeFileSync(cut, packed.subarray(0, packed.length - 9));
  writeFileSync(bomb, Buffer.concat(Array(5).fill(gzipSync(Buffer.alloc(2 ** 26)))));
  const solved = await runCli(["solve", good]);
  expect(solved.stdout).toMatch(
    /^m {2}minimise; 1 column.*\n\n {2}rows read +1 at least; 1 right-hand side other than 0\n/,
  );
  expect((await runProcess(["solve", bomb], { env })).stderr).toBe(
    `${bomb}: expected a gzip file that can be unpacked, received one of more than 256 MiB, the limit; unpack it first\n`,
  );
  const { status, stderr } = await runCli(["solve", cut]);
  expect(stderr).toBe(`${cut}: expected a gzip file that can be unpacked, received a damaged one; unpack it first\n`);
  expect(status).toBe(2);
});

describe("files that a plan or an instance names", () => {
  const TINY = "instances/tiny/two-tiers.yaml";
  const secret = "root:x:0:0:secret";

  it.runIf(existsSync("/dev/zero"))("are regular ones", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "plan.json");
    const { stdout } = await runCli(["plan", TINY, "--json"]);
    writeFileSync(file, stdout.replace(`"file": "${TINY}"`, '"file": "/dev/zero"'));
    const received = 'received "/dev/zero": a device or socket, no regular file';
    const changed = await runProcess(["verify", file], { env });
    expect(changed.status).toBe(5);
    expect(changed.stdout).toContain(received);
    const page = await runProcess(["report", file, "--out", join(folder, "page.html")], { env });
    expect(page.status).toBe(5);
    const simulated = await runProcess(["simulate", file], { env });
    expect([simulated.status, simulated.stderr]).toEqual([
      2,
      `${file}: expected the plan's instance where the plan says it is, ${received}; say where it is with --instance FILE\n`,
    ]);
    const instance = join(folder, "i.yaml");
    writeFileSync(
      instance,
      `shardproof: 1
name: named
problem: table-placement
cluster: {nodes: 1, gpusPerNode: 1, hbmBytesPerGpu: 1.0e9}
training: {batchPerGpu: 8}
costModel: {neural: /dev/zero}
tables:
  - {name: a, rows: 10, dim: 4, poolingFactor: 1, accessBins: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}
`,
    );
    const { status, stderr } = await runProcess(["plan", instance], { env });
    expect([status, stderr.split("\n").length]).toEqual([2, 2]);
    expect(stderr).toMatch(
      /expected a file that can be read, received \/dev\/zero \(a device or socket, no regular file\)/,
    );
  });

  it("are not quoted where they are of another kind", async () => {
    const folder = temporaryFolder();
    const [file, other] = [join(folder, "plan.json"), join(folder, "other")];
    writeFileSync(other, `${secret}\n`);
    const { stdout } = await runCli(["plan", TINY, "--json"]);
    writeFileSync(file, stdout.replace(`"file": "${TINY}"`, `"file": ${JSON.stringify(other)}`));
    for (const command of [["verify"], ["report"], ["simulate"], ["export", "--to", "lp"]]) {
      const { stdout: said, stderr, status } = await runCli([...command, file]);
      expect([command, said.includes(secret), stderr.includes(secret)]).toEqual([command, false, false]);
      expect([2, 5]).toContain(status);
    }
    const solved = join(folder, "solution.json");
    await runCli(["solve", "instances/programs/production.lp", "--out", solved]);
    const { stdout: solution } = await runCli(["solve", "instances/programs/production.lp", "--json"]);
    writeFileSync(solved, solution.replace("instances/programs/production.lp", other));
    const checked = await runCli(["verify", solved]);
    expect(checked.stdout + checked.stderr).toContain("expected the model where the plan says it is");
    expect(checked.stdout + checked.stderr).not.toContain(secret);
  });
});
