import type { Schedule } from "./schedule.js";
import type { Link } from "./transfers.js";
import type { Worth } from "./worth.js";

/**
 * How a placement becomes another one, as `shardproof delta` writes it: plain JSON. What there is before and after, shard by
 * shard and with its part of the table; which part of every new shard comes from where; and steps in which no memory is
 * exceeded, or the least extra memory that steps were found for. Bytes are integers. Devices are numbered as in the new plan;
 * further numbers are of devices that only the old plan has.
 */
export interface PlacementDelta {
  readonly shardproof: 1;
  readonly kind: "placement-delta";
  readonly from: DeltaPlan;
  readonly to: DeltaPlan;
  readonly cluster: {
    readonly devices: number;
    /** By device, those that are gone included. */
    readonly hosts: readonly number[];
    /** What the devices that are gone were called in the old plan, from number `devices` on. */
    readonly goneRanks: readonly number[];
  };
  readonly tables: {
    /** Tables that bytes move of, and those whose shards are elsewhere or otherwise for any other reason. */
    readonly moved: readonly string[];
    readonly added: readonly string[];
    readonly dropped: readonly string[];
    /** Tables without rows and dim, or that are not cut as TorchRec cuts them: each shard counts as a whole. */
    readonly countedWhole: readonly string[];
  };
  /** Parameters and optimizer state; `received` is all that does not stay on its device in its memory. */
  readonly bytes: DeltaBytes & { readonly received: number; readonly parked: number };
  /** Σ over the steps; `null` where the instance has no bandwidth for a link that is used. */
  readonly seconds: number | null;
  readonly worth: Worth;
  /** By table what is kept of it: its extent before, bytes for each element, and for each row of a shard. */
  readonly kept: Readonly<
    Record<
      string,
      { readonly rows: number; readonly dim: number; readonly cellBytes: number; readonly rowBytes: number }
    >
  >;
  readonly old: readonly DeltaShard[];
  readonly new: readonly (DeltaShard & {
    /** The old shard (by index) that it is; `null`: it is made. */
    readonly stays: number | null;
    readonly reads: readonly DeltaRead[];
  })[];
  readonly schedule: DeltaSchedule;
  readonly notes: readonly string[];
}

export interface DeltaPlan {
  readonly instance: { readonly name: string; readonly sha256: string };
  /** The plan's. */
  readonly digest: string;
}

/** Bytes by what they go over; `local` ones are copied on their device. */
export type DeltaBytes = Readonly<Record<Link, number>>;
export type DeltaLink = keyof DeltaBytes;

export interface DeltaShard {
  readonly table: string;
  readonly shard: number;
  readonly device: number;
  /** `hbm`, `host` or `ssd`; `null`: which part of the table it is cannot be told. */
  readonly memory: string | null;
  readonly rows: DeltaRange;
  readonly columns: DeltaRange;
  readonly hbmBytes: number;
  readonly hostBytes: number;
  readonly ssdBytes: number;
}

export type DeltaRange = readonly [from: number, size: number];

export interface DeltaRead {
  /** Index of the old shard. */
  readonly old: number;
  readonly rows: DeltaRange;
  readonly columns: DeltaRange;
  /** The optimizer's state of the rows comes with it. */
  readonly withState: boolean;
  readonly bytes: number;
}

/** The steps, and the memories that lists of bytes are about. */
export interface DeltaSchedule extends Pick<Schedule, "memories" | "unread" | "before" | "after" | "steps"> {
  /** Within every limit, or with `extraBytes` more of every memory. */
  readonly status: "fits" | "needs-more-memory";
  readonly extraBytes: number;
  /** What it takes without putting anything aside, where it does not fit without; `atLeast` is a bound from below. */
  readonly withoutParking: { readonly atLeast: number; readonly found: number; readonly because: string } | null;
}
