import { test, expect } from "vitest";
import { solveExactly } from "/work/main/src/optimize/exact-milp/solve-exactly.js";
import { writeVipr } from "/work/main/src/proof/vipr/write.js";
import { checkVipr } from "/work/main/src/proof/vipr/check.js";
import { randomProgram } from "/work/main/test/unit/proof/vipr/random-program.js";
(globalThis as any).T = {};
test("try", async () => {
  const count: Record<string, number> = {};
  const bump = (k: string) => { count[k] = (count[k] ?? 0) + 1; };
  for (let seed = Number(process.env.FROM ?? 1); seed <= Number(process.env.TO ?? 200); seed++) {
    const program = randomProgram(seed);
    const s = await solveExactly(program, { timeLimitSeconds: 3 });
    if (s.verdict === null || s.certificate === null) { bump("none"); continue; }
    bump(s.certificate.claim.kind);
    for (const st of s.certificate.steps) bump(Object.keys(st)[0] as string);
    let text = "";
    try {
      text = writeVipr(program, s.certificate, s.point);
      const { claim } = checkVipr(text, "t.vipr");
      for (const m of text.matchAll(/\{ (asm|lin|rnd|uns)/g)) bump("vipr " + m[1]);
      bump("ok " + claim.kind);
    } catch (e) { bump("FAIL"); console.log(seed, (e as Error).stack?.slice(0, 700)); }
  }
  console.log(count, (globalThis as any).T);
}, 600000);
