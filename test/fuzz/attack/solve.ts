import { CLASSES } from "../generators.js";
import { drawFrom } from "../oracle/draw.js";
import { tryCase } from "../try-case.js";
import type { Attack } from "./tally.js";

/** Of one program; what is open then is counted, not wrong. */
const SECONDS = 2;

/** Programs of every class in turn, solved to gap 0 against their witnesses, and through every file format. */
export const solve: Attack = {
  name: "solve",
  async round(seed, tally) {
    const { name, make } = CLASSES[seed % CLASSES.length] as (typeof CLASSES)[number];
    const outcome = await tryCase(make(drawFrom(seed)), SECONDS);
    tally.add("programs");
    if (outcome.kind === "wrong") return tally.fault(`seed ${seed}, ${name}: ${outcome.report}`);
    tally.add(outcome.kind);
    if (outcome.isUnwritten === true) tally.add("not written as VIPR");
    if (outcome.unconfirmed) tally.add("not confirmed by the witness");
  },
};
