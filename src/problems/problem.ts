import type { AnyInstance, InstanceReader } from "../instance/reader.js";
import type { Program } from "../program/program.js";
import type { ReportOf } from "../report/input.js";
import type { Section } from "../report/page-section.js";
import type { Exportable } from "./exportable.js";
import type { Fact, Goal } from "./facts.js";
import type { PlanEnvelope, WrittenEnvelope } from "./plan-file/envelope.js";
import type { OpenInstance } from "./plan-file/original-plan.js";
import type { PlanOptions } from "./plan-options.js";
import type { RerunExtent } from "./rerun.js";
import type { MethodsOf } from "./verification/published-methods.js";
import type { Verification } from "./verification/verification.js";
import type { VerifyHow } from "./verification/verify-how.js";

/**
 * A problem as the drivers know it: what `plan`, `compare`, `verify`, `export` and `report` ask of each. Its parts are
 * loaded when they are asked for, so that a command loads the code of one problem, and `verify` no search.
 *
 * `I` is its instance, `R` an instance made ready for its methods, `P` its plan file's contents, `W` a plan file as it was
 * read, `C` its comparison of methods.
 */
export interface Problem<
  I extends AnyInstance = AnyInstance,
  R = unknown,
  P extends PlanEnvelope = PlanEnvelope,
  W extends WrittenEnvelope = WrittenEnvelope,
  C extends Comparison = Comparison,
> {
  /** As instances and plan files have it. */
  readonly name: I["problem"];
  /** How its instances are read. */
  readonly reader: InstanceReader<I>;
  /** Whether an instance, or the JSON of a plan file, is of this problem. */
  isOf(file: { readonly problem?: unknown; readonly joint?: unknown }): boolean;
  /** What progress shows its objective in. */
  readonly measure: "seconds" | "plain";
  /** What `simulate` plays of its plans: the rows that samples read, the exchange of towers, or nothing. */
  readonly simulation: "rows" | "exchange" | null;
  solving(): Promise<Solving<I, R, P>>;
  comparing(): Promise<Comparing<R, C>>;
  verifying(): Promise<Verifying<I, W>>;
  /** The published methods, as `verify` runs them again. */
  rerunning(extent: RerunExtent): Promise<MethodsOf<never, unknown>>;
  exporting(): Promise<Exporting<I>>;
  knowing(): Promise<Knowing<P>>;
  showing(): Promise<Showing<P, C>>;
  reporting(): Promise<Reporting<I, P>>;
}

export interface Solving<I extends AnyInstance, R, P> {
  /** Reads the files that the instance names, and builds its model once. Throws `InputError`. */
  prepare(instance: I): Promise<R>;
  plan(ready: R, options: PlanOptions): Promise<P>;
  /** What the exact method can do without (`PlanOptions.without`), by name. */
  readonly strategies: readonly string[];
}

export interface Comparing<R, C> {
  compare(ready: R, options: Omit<PlanOptions, "method">): Promise<C>;
}

/** Every method on one instance. */
export interface Comparison {
  /** The exact method first. */
  readonly rows: readonly { readonly status: string }[];
  /** What else the plans show, by the key that `compare --json` has it under. */
  readonly beside?: Readonly<Record<string, readonly unknown[]>>;
}

export interface Verifying<I extends AnyInstance, W> {
  /** Throws `InputError` with the place of what has another shape. */
  shape(json: Readonly<Record<string, unknown>>, text: string, file: string): W;
  verify(plan: W, instance: I, how: VerifyHow<never, never>): Promise<Verification>;
}

export interface Exporting<I extends AnyInstance> {
  /** Reads a plan file as it was written, with its instance. Throws `InputError`. */
  read(text: string, file: string, openInstance: OpenInstance): Promise<Exportable>;
  /** The program that plans are proved on, or another with the same optimum where no file can hold that. */
  program(instance: I): Promise<Program>;
  /** The proof of a plan file as VIPR's, or why there is none. */
  readonly vipr: ViprWriter | string;
}

export type ViprWriter = (text: string, file: string, openInstance: OpenInstance) => Promise<string>;

/** What a plan says, which terminal, page and playground draw. */
export interface Knowing<P> {
  goal(plan: P): Goal;
  facts(plan: P): readonly Fact[];
}

export interface Showing<P, C> {
  /** A plan as a person reads it. */
  plan(plan: P): string;
  compare(comparison: C): string;
  /** What to warn of. */
  warnings(plan: P): readonly string[];
  /** What `--verbose` adds; `open` reads the plan's instance again. */
  details(plan: P, open: () => Promise<AnyInstance>): Promise<string | null>;
}

export interface Reporting<I extends AnyInstance, P> {
  /** What a page says of an instance in its own terms: its size, and what it asks for. */
  instanceFacts(instance: I): readonly Fact[];
  /** What the charts of a plan need of its instance; `null` where the plan does not fit it. */
  charts(plan: P, instance: I): Promise<unknown>;
  /** What a page says of a plan; `id` begins the names of its charts. */
  section(report: ReportOf<P, unknown>, id: string): Section;
}
