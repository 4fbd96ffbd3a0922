import { type Instance, PROBLEMS, type RegisteredAs } from "../../problems/planning/registry.js";

type Methods = { readonly [Name in Instance["problem"]]: RegisteredAs<Name>["methods"] };

/** The methods of every problem: `optimal`, which proves its plans, and the published ones under their papers' names. */
export const METHODS = Object.fromEntries(PROBLEMS.map(({ name, methods }) => [name, methods])) as unknown as Methods;

export type RowTiersMethod = Methods["row-tiers"][number];
export type TablePlacementMethod = Methods["table-placement"][number];
export type TowerPartitionMethod = Methods["tower-partition"][number];

/** A method of any problem. */
export type Method = Methods[keyof Methods][number];
