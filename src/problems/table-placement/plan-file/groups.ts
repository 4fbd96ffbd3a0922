import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { GroupLayout } from "../instance/groups.js";

/**
 * What a plan has where the devices are parted into groups, each with a copy of the tables: every size with what is proved of it.
 * The rest of the file is about one group of the chosen size, but for the bound, the gap and the status, which are of all sizes
 * together: the bound is the least of theirs.
 *
 * Apart from choices and certificates, every field follows from those and the instance.
 */
export interface PlacementGroups {
  /** Devices of a group of the chosen size; `null` where no size has a plan. */
  readonly chosen: number | null;
  /** Of the whole cluster. */
  readonly devices: number;
  readonly layout: GroupLayout;
  readonly syncEvery: number;
  /** In the order of their sizes. */
  readonly sizes: readonly PlacementGroupSize[];
}

export interface PlacementGroupSize {
  /** Devices of a group, and how many groups there are. */
  readonly size: number;
  readonly copies: number;
  /** Hosts that a group's devices are on. */
  readonly hosts: number;
  /** `unknown`: no plan was found, nor proved to be none. */
  readonly status: Verdict["status"] | "unknown";
  readonly value: number | null;
  /** Proved: no plan with groups of this size has less. There may be one without a plan. */
  readonly bound: number | null;
  readonly gap: number | null;
  /** Integers or fractions in lowest terms. */
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** The most that a device's synchronisation takes of each iteration; part of its cost. */
  readonly syncMilliseconds: number | null;
  /** Bytes of the fullest device. */
  readonly largestBytes: number | null;
  /** The same during the look-ups, where copies are fully sharded outside them. */
  readonly largestLookupBytes?: number | null;
  /** `null`: the plan's own, which is that of the chosen size, or none. */
  readonly choices: readonly (readonly [option: number, ranks: readonly number[]])[] | null;
  /** `null`: the plan's own, or none. */
  readonly certificate: Certificate | null;
}
