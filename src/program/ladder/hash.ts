import { columnText, hashedOnce } from "../hash.js";
import type { Ladder, LadderForm } from "./ladder.js";

/**
 * SHA-256 (hexadecimal) of a ladder's meaning: tiers, classes, auxiliary columns and rows in order with their names,
 * bounds and exact coefficients. The ladder's own name does not count.
 */
export const ladderHash = hashedOnce((hash, ladder: Ladder) => {
  const { tiers, chains, rateDenominator, auxiliaries, rows, objective } = ladder;
  const form = ({ terms, auxiliaries: coefficients }: LadderForm) =>
    `${terms.map((ofChain) => ofChain.map(({ fixed, perRate }) => `${fixed}:${perRate}`).join(",")).join(";")} ${coefficients.join(",")}`;
  hash.update(`shardproof-ladder 1\n${JSON.stringify(tiers)} ${rateDenominator}\n`);
  hash.update(`o ${JSON.stringify(objective.name)} ${form(objective.form)}\n`);
  for (const column of auxiliaries) hash.update(columnText(column));
  for (const row of rows) hash.update(`r ${JSON.stringify(row.name)} ${row.upper} ${form(row.form)}\n`);
  for (const { units, rates } of chains) {
    hash.update(`l ${units.length}\n`);
    for (let from = 0; from < units.length; from += CHUNK) {
      let text = "";
      for (let i = from; i < Math.min(from + CHUNK, units.length); i++) {
        text += `${(units[i] as number).toString(36)}:${(rates[i] as bigint).toString(32)}\n`;
      }
      hash.update(text);
    }
  }
});

const CHUNK = 4096;
