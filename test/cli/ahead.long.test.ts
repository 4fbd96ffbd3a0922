import { describe, expect, it } from "vitest";
import { runProcess } from "./run-cli.js";

const INSTANCE = "instances/tiny/column-wise.yaml";

describe("a thread that is started before the command line is read", () => {
  it("holds up no exit, where the command line is wrong", async () => {
    const { status, stdout, stderr } = await runProcess(["plan", INSTANCE, "--nonsense"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^error: unknown option '--nonsense'/m);
  });

  it("says what is wrong with an instance, as any other", async () => {
    const { status, stderr } = await runProcess(["plan", "instances/none.yaml"]);
    expect(status).toBe(2);
    expect(stderr).toContain("instances/none.yaml");
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it.each([{ args: [] }, { args: ["--memory-limit", "1GiB"] }, { args: ["--memory-limit=1GiB"] }])(
    "plans the same as one started later, with $args",
    async ({ args }) => {
      const { status, stdout } = await runProcess(["plan", INSTANCE, ...args]);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^proved: /m);
    },
  );

  it("reads standard input", async () => {
    const { readFile } = await import("node:fs/promises");
    const input = await readFile(INSTANCE, "utf8");
    const { status, stdout } = await runProcess(["plan", "-", "--json"], { input });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).status).toBe("proved");
  });
});
