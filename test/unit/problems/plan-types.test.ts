import { expect, expectTypeOf, test } from "vitest";
import type { GroupedPlacementPlan } from "../../../src/problems/grouped-placement/plan-file/assemble.js";
import type { WrittenGroupedPlan } from "../../../src/problems/grouped-placement/plan-file/schema.js";
import type {
  JointTowersPlan,
  WrittenJointTowersPlan,
} from "../../../src/problems/joint-towers/plan-file/plan-file.js";
import type { RowTiersPlan, WrittenPlan } from "../../../src/problems/row-tiers/plan-file/plan-file.js";
import type {
  TablePlacementPlan,
  WrittenPlacementPlan,
} from "../../../src/problems/table-placement/plan-file/plan-file.js";
import type {
  TowerPartitionPlan,
  WrittenTowerPlan,
} from "../../../src/problems/tower-partition/plan-file/plan-file.js";

/** Read-only throughout, as the types of plans are. */
type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** What the compiler says: the types of plan files, which users see, are what the schemas read. */
test("a plan of each type is one that its schema reads, and no key of a schema is unknown to its type", () => {
  expect(true).toBe(true);
  expectTypeOf<RowTiersPlan>().toExtend<Frozen<WrittenPlan>>();
  expectTypeOf<Omit<TablePlacementPlan, "groups">>().toExtend<Frozen<WrittenPlacementPlan>>();
  expectTypeOf<GroupedPlacementPlan>().toExtend<Frozen<WrittenGroupedPlan>>();
  expectTypeOf<TowerPartitionPlan>().toExtend<Frozen<WrittenTowerPlan>>();
  expectTypeOf<JointTowersPlan>().toExtend<Frozen<WrittenJointTowersPlan>>();
  expectTypeOf<Paths<WrittenPlan>>().toEqualTypeOf<Paths<RowTiersPlan>>();
  expectTypeOf<Paths<WrittenPlacementPlan>>().toEqualTypeOf<Paths<Omit<TablePlacementPlan, "groups">>>();
  expectTypeOf<Paths<WrittenGroupedPlan["groups"]>>().toEqualTypeOf<Paths<GroupedPlacementPlan["groups"]>>();
  expectTypeOf<Paths<WrittenTowerPlan>>().toEqualTypeOf<Paths<TowerPartitionPlan>>();
  expectTypeOf<Paths<WrittenJointTowersPlan["joint"]>>().toEqualTypeOf<Paths<JointTowersPlan["joint"]>>();
});

/** The keys of a plan with those inside them, lists as their entries; not inside what a schema leaves open. */
type Paths<T> = T extends readonly (infer Entry)[]
  ? Paths<Entry>
  : T extends object
    ? {
        [Key in keyof T & string]: Key extends "certificate" | "choices"
          ? Key
          : Key | `${Key}.${Paths<NonNullable<T[Key]>>}`;
      }[keyof T & string]
    : never;
