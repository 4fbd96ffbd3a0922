import { nearestWord } from "../errors/nearest.js";
import { reproduceFlexshard } from "../reproduce/flexshard/reproduce.js";
import { EXIT } from "./exit-status.js";
import { UsageError } from "./failure.js";
import { showFlexShard } from "./show/flexshard.js";
import { note, writeResult } from "./streams.js";

const PAPERS = ["flexshard"];

/** `shardproof reproduce PAPER`. */
export async function runReproduce(paper: string, { json }: { readonly json?: boolean }): Promise<number> {
  if (!PAPERS.includes(paper)) {
    const nearest = nearestWord(paper, PAPERS);
    const advice = nearest === undefined ? `known here: ${PAPERS.join(", ")}` : `did you mean ${nearest}?`;
    throw new UsageError(`there is nothing to reproduce of "${paper}"; ${advice}`);
  }
  note("solving four models under three objectives …", false);
  const reproduction = await reproduceFlexshard();
  await writeResult(json === true ? `${JSON.stringify(reproduction, null, 2)}\n` : showFlexShard(reproduction));
  const optima = reproduction.models.flatMap((model) => model.optima);
  return optima.every(({ status }) => status === "proved") ? EXIT.solved : EXIT.notProved;
}
