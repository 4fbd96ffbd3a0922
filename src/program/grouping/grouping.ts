import type { Rational } from "../../exact/rational.js";
import type { Ladder } from "../ladder/ladder.js";
import type { Program } from "../program.js";
import type { Conflict } from "./conflict.js";

/**
 * A grouping: a partition program, kept as what it is made of instead of one column for every possible cluster.
 *
 * F elements are divided into `clusters` sets, none of them empty. Σ over clusters S of
 *
 *   share(|S|) · Σ_{i<j in S} pair(i, j),   share(s) = 1 (`whole`) or 1/s (`bySize`),
 *
 * is minimised. The sizes of all clusters lie within one of the `windows`, the weights of the elements of each cluster
 * add up to at most `load.most`, likewise those of every further load, and no cluster has a conflict. Points are
 * labelings: the cluster 0 … clusters−1 of each element.
 */
export interface Grouping {
  readonly name: string;
  /** F different names. */
  readonly elements: readonly string[];
  readonly clusters: number;
  /** Not negative; the pair i < j stands at {@link pairIndex}. F(F−1)/2 of them. */
  readonly pairs: readonly Rational[];
  readonly share: "whole" | "bySize";
  /** Without repeats, none inside another, rising; empty where no sizes fit. 1 ≤ least ≤ most. */
  readonly windows: readonly SizeWindow[];
  readonly load: ClusterLoad | null;
  /** None where left out. */
  readonly furtherLoads?: readonly ClusterLoad[];
  /** None where left out. */
  readonly conflicts?: readonly Conflict[];
}

/** All clusters of a partition have least … most elements. */
export interface SizeWindow {
  readonly least: number;
  readonly most: number;
}

/** What each cluster can carry. */
export interface ClusterLoad {
  /** One for each element, not negative. */
  readonly weights: readonly Rational[];
  readonly most: Rational;
}

/** Where the pair of elements i < j stands among the F(F−1)/2 pairs: (0,1), (0,2), (1,2), (0,3), … */
export function pairIndex(i: number, j: number): number {
  return (j * (j - 1)) / 2 + i;
}

/** Tells a grouping from the other kinds of program. */
export function isGrouping(program: Grouping | Ladder | Program): program is Grouping {
  return "pairs" in program;
}
