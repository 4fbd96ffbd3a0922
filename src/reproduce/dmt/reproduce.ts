import { collectiveBytes } from "./collective-bytes.js";
import { figure9 } from "./figure9.js";
import { PUBLISHED } from "./published.js";
import type { DmtReproduction } from "./reproduction.js";
import { WORLDS } from "./setting.js";
import { byWidth, speedUps } from "./speed-ups.js";
import { statements } from "./statements.js";
import { table4, table5 } from "./tables.js";
import { fittedModel } from "./time-model.js";

/**
 * DMT's tables 3 to 5 by the arithmetic that meets them, the bytes of every collective of its setting, and modelled
 * speed-ups beside what the text says of figures 1 and 10 to 13, and figure 9 of a shipped instance. Throws `InputError` when
 * that cannot be read.
 */
export async function reproduceDmt(): Promise<DmtReproduction> {
  const model = fittedModel();
  const modelled = speedUps(model);
  return {
    shardproof: 1,
    paper: "dmt",
    table4: table4(),
    table5: table5(),
    bytes: WORLDS.map(collectiveBytes),
    model,
    speedUps: modelled,
    byRatio: PUBLISHED.table5.flatMap(({ width, ratio }) => byWidth(model, width).map((each) => ({ ratio, ...each }))),
    statements: statements(model, modelled),
    figure9: await figure9(),
  };
}
