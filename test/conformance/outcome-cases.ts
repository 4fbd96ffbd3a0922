import type { Case } from "./case.js";

const positive = ["0", null] as const;
const free = [null, null] as const;

/** Linear programs without an optimum. */
export const outcomeCases: readonly Case[] = [
  {
    title: "two rows that exclude each other",
    rows: ["x + y <= 1", "x + y >= 2"],
    columns: { x: positive, y: positive },
    status: "infeasible",
  },
  {
    title: "a row that a column bound excludes",
    minimize: "x",
    rows: ["x <= 2"],
    columns: { x: ["3", null] },
    status: "infeasible",
  },
  {
    title: "equations whose solution is negative",
    minimize: "x",
    rows: ["x + y = 1", "x - y = 3"],
    columns: { x: positive, y: positive },
    status: "infeasible",
  },
  { title: "an empty row that cannot hold", rows: ["0x >= 1"], columns: { x: positive }, status: "infeasible" },
  {
    title: "an empty row that cannot hold by 1e-12",
    rows: ["0x >= 1e-12"],
    columns: { x: positive },
    status: "infeasible",
  },
  { title: "crossed column bounds", columns: { x: ["2", "1"] }, status: "infeasible" },
  { title: "crossed row bounds", rows: ["3 <= x <= 2"], columns: { x: positive }, status: "infeasible" },
  {
    title: "infeasible, with an unbounded direction",
    maximize: "x",
    rows: ["y <= 1", "y >= 2"],
    columns: { x: positive, y: positive },
    status: "infeasible",
  },
  { title: "unbounded without rows", maximize: "x", columns: { x: positive }, status: "unbounded" },
  { title: "unbounded downwards", minimize: "x", columns: { x: free }, status: "unbounded" },
  {
    title: "unbounded along a ray",
    maximize: "x + y",
    rows: ["x - y <= 1", "y - x <= 1"],
    columns: { x: positive, y: positive },
    status: "unbounded",
  },
];
