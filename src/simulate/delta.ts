import type {
  DeltaBytes,
  DeltaLink,
  DeltaRange,
  DeltaRead,
  DeltaShard,
  PlacementDelta,
} from "../../models/table-placement/migration/delta.js";

/** What happened while the steps of a delta were carried out. */
export interface DeltaSimulation {
  readonly bytes: DeltaBytes;
  readonly parkedBytes: number;
  /** By memory of the file, the most that was in it at once. */
  readonly peak: readonly number[];
  /** What differs from the file, or cannot be; empty where everything is as the file says. */
  readonly wrong: readonly string[];
}

/** Something that lies in a memory. */
interface Lying {
  readonly table: string;
  readonly rows: DeltaRange;
  readonly columns: DeltaRange;
  readonly device: number;
  readonly memory: string | null;
  readonly takes: ReadonlyMap<number, number>;
}

/**
 * Carries out a delta, rank by rank, knowing nothing of how it was made: shards are ranges of rows and columns that lie in
 * memories; a move looks for its ranges where they lie by then, takes memory beside all that is there, and frees what the
 * step frees. Bytes are counted from the ranges. In the end every new shard must be there whole, and nothing else.
 */
export function simulateDelta(delta: PlacementDelta): DeltaSimulation {
  return new Simulation(delta).run();
}

class Simulation {
  readonly #delta: PlacementDelta;
  readonly #lying = new Map<string, Lying>();
  readonly #use: number[];
  readonly #peak: number[];
  readonly #bytes = { local: 0, host: 0, inside: 0, between: 0 };
  readonly #wrong: string[] = [];
  #parked = 0;

  constructor(delta: PlacementDelta) {
    this.#delta = delta;
    this.#use = delta.schedule.memories.map(() => 0);
    this.#peak = this.#use.slice();
  }

  run(): DeltaSimulation {
    const { old, schedule, bytes } = this.#delta;
    for (const [k, shard] of old.entries()) this.#put(`old ${k}`, { ...shard, takes: this.#needOf(shard) });
    this.#expect("bytes before", this.#use, schedule.before);
    for (const k of schedule.unread) this.#free(`old ${k}`);
    for (const [number, step] of schedule.steps.entries()) this.#step(number, step);
    this.#expect("bytes after", this.#use, schedule.after);
    this.#checkEnd();
    for (const link of ["local", "host", "inside", "between"] as const) {
      this.#expect(`bytes ${link}`, [this.#bytes[link]], [bytes[link]]);
    }
    this.#expect("bytes put aside", [this.#parked], [bytes.parked]);
    return { bytes: this.#bytes, parkedBytes: this.#parked, peak: this.#peak, wrong: this.#wrong };
  }

  #step(number: number, { moves, parks, frees, during }: PlacementDelta["schedule"]["steps"][number]): void {
    const { memories, extraBytes } = this.#delta.schedule;
    const arriving: [name: string, Lying][] = [];
    const leaving: string[] = [];
    const under = this.#use.slice();
    const arrive = (name: string, lying: Lying, beside: ReadonlyMap<number, number> = new Map()) => {
      arriving.push([name, lying]);
      for (const [memory, bytes] of lying.takes) {
        under[memory] = (under[memory] as number) + Math.max(0, bytes - (beside.get(memory) ?? 0));
      }
    };
    for (const { new: index, links } of moves) {
      const shard = this.#delta.new[index] as PlacementDelta["new"][number];
      const lying = { ...shard, takes: this.#needOf(shard) };
      if (shard.stays === null) arrive(`new ${index}`, lying);
      else {
        // It is there already: only what it needs more, or less, than before changes.
        const there = this.#lying.get(`old ${shard.stays}`);
        if (there === undefined || !this.#isSame(there, shard)) this.#say(`${this.#name(shard)} is not where it stays`);
        arrive(`new ${index}`, lying, there?.takes);
        leaving.push(`old ${shard.stays}`);
      }
      this.#read(shard, links);
    }
    for (const { old, device, memory, link, bytes } of parks) {
      const there = this.#lying.get(`old ${old}`);
      if (there === undefined) {
        this.#say(`step ${number}: shard ${old} of the old plan is put aside and not there`);
        continue;
      }
      const counted = this.#bytesOf(there.table, there.rows, there.columns, true);
      this.#expect(`step ${number}: bytes put aside`, [counted], [bytes]);
      this.#expectLink(there, { device, memory }, link);
      this.#bytes[link] += counted;
      this.#parked += counted;
      const takes = new Map([[this.#memoryAt(device, memory), counted]]);
      leaving.push(`old ${old}`);
      arrive(`old ${old}`, { ...there, device, memory, takes });
    }
    this.#expect(`step ${number}: bytes during`, under, during);
    for (const [memory, bytes] of under.entries()) {
      const { limit, memory: kind, number: of } = memories[memory] as PlacementDelta["schedule"]["memories"][number];
      this.#peak[memory] = Math.max(this.#peak[memory] as number, bytes);
      // What is exceeded before anything moves is the old plan's; nothing may come to it.
      if (limit !== null && bytes > limit + extraBytes && bytes > (this.#use[memory] as number)) {
        this.#say(`step ${number}: ${kind} ${of} holds ${bytes} bytes, ${bytes - limit} more than its limit`);
      }
    }
    const stayed = new Map(leaving.map((name) => [name, this.#lying.get(name)]));
    for (const name of leaving) this.#free(name);
    for (const [name, lying] of arriving) this.#put(name, lying);
    // Others may still read a shard that stays: it is the new one by now.
    for (const [name, lying] of stayed) {
      if (lying !== undefined && !this.#lying.has(name)) this.#put(name, { ...lying, takes: new Map() });
    }
    for (const old of frees) this.#free(`old ${old}`);
  }

  /** Counts what a new shard reads, and that it gets every element that exists once, and the state of every row. */
  #read(shard: PlacementDelta["new"][number], links: readonly DeltaLink[]): void {
    if (shard.stays !== null) return;
    const kept = this.#delta.kept[shard.table];
    const rows = overlap(shard.rows, [0, kept?.rows ?? 0]);
    const columns = overlap(shard.columns, [0, kept?.dim ?? 0]);
    const wanted = rows[1] * columns[1];
    let elements = 0;
    let states = 0;
    for (const [k, read] of shard.reads.entries()) {
      const link = links[k] as DeltaLink;
      const there = this.#lying.get(`old ${read.old}`);
      if (there === undefined || !holds(there, read)) {
        this.#say(`${this.#name(shard)} reads shard ${read.old} of the old plan, which is not there by then`);
        continue;
      }
      this.#expectLink(there, shard, link);
      const bytes = this.#bytesOf(shard.table, read.rows, read.columns, read.withState);
      this.#expect(`bytes that ${this.#name(shard)} reads`, [bytes], [read.bytes]);
      this.#bytes[link] += bytes;
      elements += overlap(read.rows, rows)[1] * overlap(read.columns, columns)[1];
      if (read.withState) states += read.rows[1];
      for (const other of shard.reads.slice(0, k)) {
        const twice = overlap(read.rows, other.rows)[1] * overlap(read.columns, other.columns)[1];
        if (twice > 0) this.#say(`${this.#name(shard)} reads ${twice} elements twice`);
      }
    }
    if (elements !== wanted) this.#say(`${this.#name(shard)} gets ${elements} of its ${wanted} elements`);
    if (wanted > 0 && states !== rows[1]) {
      this.#say(`${this.#name(shard)} gets the state of ${states} of its ${rows[1]} rows`);
    }
  }

  #checkEnd(): void {
    const there = new Set([...this.#lying].flatMap(([name, { takes }]) => (takes.size > 0 ? [name] : [])));
    for (const [k, shard] of this.#delta.new.entries()) {
      if (!there.delete(`new ${k}`) && this.#needOf(shard).size > 0) this.#say(`${this.#name(shard)} is never made`);
    }
    for (const name of there) this.#say(`the ${name.replace(" ", " shard ")} is left over`);
  }

  #put(name: string, lying: Lying): void {
    this.#lying.set(name, lying);
    for (const [memory, bytes] of lying.takes) this.#use[memory] = (this.#use[memory] as number) + bytes;
    for (const memory of lying.takes.keys()) {
      this.#peak[memory] = Math.max(this.#peak[memory] as number, this.#use[memory] as number);
    }
  }

  #free(name: string): void {
    for (const [memory, bytes] of this.#lying.get(name)?.takes ?? []) {
      this.#use[memory] = (this.#use[memory] as number) - bytes;
    }
    this.#lying.delete(name);
  }

  #needOf({ device, hbmBytes, hostBytes, ssdBytes }: DeltaShard): ReadonlyMap<number, number> {
    const needs = [["hbm", hbmBytes] as const, ["host", hostBytes] as const, ["ssd", ssdBytes] as const];
    return new Map(
      needs.flatMap(([memory, bytes]) => (bytes === 0 ? [] : [[this.#memoryAt(device, memory), bytes] as const])),
    );
  }

  #memoryAt(device: number, kind: string): number {
    const host = this.#delta.cluster.hosts[device];
    return this.#delta.schedule.memories.findIndex(
      ({ memory, of, number }) => memory === kind && number === (of === "host" ? host : device),
    );
  }

  #bytesOf(table: string, rows: DeltaRange, columns: DeltaRange, withState: boolean): number {
    const kept = this.#delta.kept[table];
    if (kept === undefined || columns[1] === 0) return 0;
    return rows[1] * columns[1] * kept.cellBytes + (withState ? rows[1] * kept.rowBytes : 0);
  }

  #expectLink(from: Pick<Lying, "device" | "memory">, to: Pick<Lying, "device" | "memory">, link: DeltaLink): void {
    const { hosts } = this.#delta.cluster;
    const own = from.device === to.device;
    const near: DeltaLink = own ? (from.memory === to.memory ? "local" : "host") : "inside";
    const found = hosts[from.device] === hosts[to.device] ? near : "between";
    if (found !== link && from.memory !== null)
      this.#say(`bytes from device ${from.device} to ${to.device} go ${found}, not ${link}`);
  }

  #isSame(a: Lying, b: DeltaShard): boolean {
    const places = [a, b].map(({ device, memory, rows, columns }) => JSON.stringify([device, memory, rows, columns]));
    return places[0] === places[1];
  }

  #expect(what: string, counted: readonly number[], written: readonly number[]): void {
    if (counted.length === written.length && counted.every((bytes, k) => bytes === written[k])) return;
    this.#say(`${what}: counted ${counted.join(", ")}, the file has ${written.join(", ")}`);
  }

  #name({ table, shard }: DeltaShard): string {
    return `${table}#${shard}`;
  }

  #say(what: string): void {
    this.#wrong.push(what);
  }
}

function overlap([a, sizeA]: DeltaRange, [b, sizeB]: DeltaRange): DeltaRange {
  const from = Math.max(a, b);
  return [from, Math.max(0, Math.min(a + sizeA, b + sizeB) - from)];
}

/** Whether a range that is read lies in what is there. */
function holds({ rows, columns }: Lying, read: DeltaRead): boolean {
  const inside = (whole: DeltaRange, part: DeltaRange) => overlap(whole, part)[1] === part[1];
  return inside(rows, read.rows) && inside(columns, read.columns);
}
