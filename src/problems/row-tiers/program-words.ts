import type { Members, UnitClasses } from "../../../models/row-tiers/unit-classes.js";
import { Rational } from "../../exact/rational.js";
import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import { changedLabels, plainLabels } from "../../program/natural/labels.js";
import { BYTES, timeMeasure } from "../../program/natural/measures.js";
import type { Quantity, Words } from "../../program/natural/words.js";
import { some } from "../../text/units.js";

/** The names and units of a row-tiers program (models/row-tiers). */
export function rowTiersWords({ tables, granularity }: RowTiersInstance, { chains }: UnitClasses): Words {
  const names = tables.map(({ name }) => name);
  const labels = plainLabels(names);
  const classes = chains.flatMap((chain) =>
    chain.rates.map((_, k) => ({
      ...chain,
      from: chain.membersFrom[k] as number,
      to: chain.membersFrom[k + 1] as number,
    })),
  );
  const placeOf = ({ table, firstRow }: Members, k: number) => `${labels[table[k] as number]}.${firstRow[k]}`;
  const seconds: Quantity = { measure: timeMeasure("seconds", "s"), per: Rational.one };
  const bytes: Quantity = { measure: BYTES, per: Rational.one };
  const unit = granularity === 1 ? "rows" : `blocks of ${granularity} rows`;
  return {
    title: `row tiers: ${some(tables.length, "table")}, ${some(classes.length, "class", "classes")} of ${unit} that are alike`,
    letters: {
      C: {
        says: "a class of rows: its table, and its first row counted from the hottest (0)",
        label: (number) => {
          const { members, from } = classes[Number(number)] as (typeof classes)[number];
          return placeOf(members, from);
        },
      },
      W: { says: "a tier, or a collective", label: (name) => name },
    },
    columns: [
      { own: "carries_W", name: "carries.W", says: "1 where the collective carries anything" },
      { own: "x_C_W", name: "in.C.W", says: `how many ${unit} of the class are in the tier` },
      { own: "slowest", name: "slowest", says: "the slower one of network and NVLink", quantity: seconds },
    ],
    rows: [
      { own: "class_C", name: "all.C", says: `all ${unit} of the class are in some tier` },
      { own: "memory", name: "memory", says: "bytes on every GPU", quantity: bytes },
      { own: "host", name: "host", says: "bytes of every node's host memory", quantity: bytes },
      { own: "carries_W", name: "carries.W", says: "what the collective carries" },
      { own: "network", name: "network", says: "is no slower than the slowest", quantity: seconds },
      { own: "nvlink", name: "nvlink", says: "is no slower than the slowest", quantity: seconds },
    ],
    objective: seconds,
    legend: [
      ...changedLabels("table", names, labels),
      ...classes.flatMap(({ members, from, to }) =>
        to - from < 2
          ? []
          : [
              `alike, one class: ${rangeOf(from, to)
                .map((k) => placeOf(members, k))
                .join(" ")}`,
            ],
      ),
    ],
  };
}

function rangeOf(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, k) => from + k);
}
