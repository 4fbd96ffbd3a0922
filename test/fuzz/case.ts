import type { Program } from "../../src/program/program.js";
import type { Draw } from "./oracle/draw.js";
import type { Truth } from "./oracle/truth.js";

/**
 * A program to solve, with what is known of it by a way that shares no code with the exact method:
 * - `truth`: the whole answer, known before anything is solved;
 * - `unbounded`: there is a point, and a direction in which it stays one and improves for ever;
 * - `seek`: nothing beforehand; a claim is attacked by looking for a point that contradicts it, with a node limit.
 */
export interface Case {
  readonly program: Program;
  readonly witness: { readonly kind: "truth"; readonly truth: Truth } | { readonly kind: "seek" | "unbounded" };
}

/** A class of programs. */
export interface CaseClass {
  readonly name: string;
  make(draw: Draw): Case;
}
