import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import { Rational } from "../../exact/rational.js";
import { PHASES, type TablePlacementInstance } from "../../instance/types/table-placement.js";
import { changedLabels, plainLabels } from "../../program/natural/labels.js";
import { BYTES, plainMeasure, timeMeasure } from "../../program/natural/measures.js";
import type { Letter, Pattern, Quantity, Words } from "../../program/natural/words.js";
import { some } from "../../text/units.js";

/**
 * The names and units of a placement's program (models/table-placement); `unit` is what a unit of its costs is worth, `null`
 * where a cost network's program tells them as they are.
 */
export function placementWords(
  { costUnit }: TablePlacementInstance,
  problem: PlacementProblem,
  unit: Rational | null,
): Words {
  const { tables, nodes, gpusPerNode, hostIsPooled } = problem;
  const measure = costUnit === "ms" ? timeMeasure("costs", "ms") : plainMeasure("costs", costUnit);
  const cost: Quantity = { measure, per: unit ?? Rational.one };
  const objective: Quantity = { measure, per: Rational.one };
  const names = tables.map(({ name }) => name);
  const labels = plainLabels(names);
  const letters = { ...lettersOf(labels), O: optionLetter(problem) };
  return {
    title: `table placement: ${some(tables.length, "table")} on ${nodes} x ${gpusPerNode} devices`,
    letters,
    columns: [...(unit === null ? networkColumns(cost) : []), ...columnsOf(cost)],
    rows: [
      ...(unit === null ? networkRows(cost) : []),
      ...rowsOf(cost),
      hostIsPooled
        ? { own: "host_H", name: "host_memory.H", says: "the host's memory holds its devices' shards", quantity: bytes }
        : { own: "host_D", name: "host_memory.D", says: "the device's part of host memory holds", quantity: bytes },
    ],
    objective,
    legend: changedLabels("table", names, labels),
  };
}

const bytes: Quantity = { measure: BYTES, per: Rational.one };

function lettersOf(labels: readonly string[]): Words["letters"] {
  return {
    T: { says: "a table", label: (t) => labels[Number(t)] as string },
    D: { says: "a device, gpu0 the first of the first host", label: (d) => `gpu${d}` },
    H: { says: "a host", label: (node) => `host${node}` },
    P: { says: "a phase of the training step", label: (part) => PHASES[Number(part)] ?? part },
    K: { says: "a kind of shards that need the same (their number within the option)", label: (kind) => kind },
    N: { says: "a number: of a kind, then of a device or host", label: (number) => number },
    G: { says: "a group of tables, by its number in the instance", label: (group) => group },
    C: { says: "a column, by its number from 0 on", label: (column) => column },
    U: { says: "a unit of the cost network", label: (each) => each },
  };
}

/** An option is named by its sharding type and kernel; where two have both alike, the second is numbered. */
function optionLetter({ tables }: PlacementProblem): Letter {
  const labels = tables.map(({ options }) =>
    plainLabels(options.map(({ shardingType, kernel }) => `${shardingType}_${kernel}`)),
  );
  return {
    says: "an option of the table: its sharding type and kernel",
    label: (option, { T }) => labels[Number(T)]?.[Number(option)] as string,
  };
}

function columnsOf(cost: Quantity): readonly Pattern[] {
  return [
    { own: "y_T_O", name: "option.T.O", says: "1 where the table has the option" },
    { own: "n_T_D", name: "shards.T.D", says: "how many shards of the table are on the device" },
    { own: "n_T_O_D", name: "shards.T.O.D", says: "how many shards of the table's option are on the device" },
    { own: "n_T_O_K_D", name: "shards.T.O.K.D", says: "how many shards of the kind are on the device" },
    { own: "h_T_O_H", name: "home.T.O.H", says: "1 where shards of the option are on the host" },
    { own: "h_T_O_K_H", name: "home.T.O.K.H", says: "1 where shards of the kind are on the host" },
    { own: "w_T_O_D", name: "uses.T.O.D", says: "1 where the device has any shard of the option" },
    { own: "p_T_D", name: "present.T.D", says: "1 where the device has any shard of the table" },
    { own: "g_G_D", name: "together.G.D", says: "1 where the tables of the group are on the device" },
    { own: "s_T_O", name: "stays.T.O", says: "1 where the table stays where it was" },
    { own: "b_H", name: "base.H", says: "steps of what all devices of the host cost alike" },
    { own: "b_hbm_H", name: "base_hbm.H", says: "steps of what all devices of the host hold alike" },
    { own: "z", name: "largest_cost", says: "the largest cost of a device", quantity: cost },
    { own: "z_P", name: "largest_cost.P", says: "the largest cost of a device in the phase", quantity: cost },
  ];
}

function rowsOf(cost: Quantity): readonly Pattern[] {
  return [
    { own: "option_T", name: "one_option.T", says: "the table has one option" },
    { own: "place_T", name: "place.T", says: "the table's shards have places" },
    { own: "place_T_O_N", name: "place.T.O.N", says: "shards of the option have places" },
    { own: "place_T_O_K_N", name: "place.T.O.K.N", says: "shards of the kind have places" },
    { own: "node_T_O", name: "one_home.T.O", says: "the option's shards have as many hosts as they need" },
    { own: "node_T_O_K", name: "one_home.T.O.K", says: "shards of the kind have as many hosts as they need" },
    { own: "room_T_O_H", name: "one_kind.T.O.H", says: "a host has shards of one kind" },
    { own: "load_D", name: "cost.D", says: "the device costs no more than the largest", quantity: cost },
    { own: "load_P_D", name: "cost.P.D", says: "nor does it in the phase", quantity: cost },
    { own: "hbm_D", name: "hbm.D", says: "the device's own memory holds its shards", quantity: bytes },
    { own: "together_G", name: "together.G", says: "the group has one device" },
    { own: "together_G_C", name: "together.G.C", says: "shards of the group are there alone" },
    { own: "present_C", name: "present.C", says: "with the shards that the column counts, the table is present" },
    { own: "apart_N_D", name: "apart.N.D", says: "the device has one table of the tables that are kept apart" },
    { own: "uses_T_O_D", name: "uses.T.O.D", says: "with a shard of the option, the device uses it" },
    { own: "one_T_D", name: "one.T.D", says: "the device has shards of one option of the table" },
    { own: "alone_T_D", name: "alone.T.D", says: "the same of options that are not on all of a host's devices" },
    { own: "stay_T_O_C", name: "stay.T.O.C", says: "the table stays only with the shards that the column counts" },
    { own: "stay", name: "stay", says: "so many tables stay" },
    { own: "base_H", name: "base.H", says: "the steps are what the host's devices cost alike", quantity: cost },
    { own: "base_hbm_H", name: "base_hbm.H", says: "the steps are what they hold alike", quantity: bytes },
    { own: "over_D", name: "over.D", says: "cost.D, from what the host's devices have alike", quantity: cost },
    { own: "over_hbm_D", name: "over_hbm.D", says: "hbm.D, likewise", quantity: bytes },
    { own: "spare_D", name: "spare.D", says: "cost.D, from the steps", quantity: cost },
    { own: "spare_hbm_D", name: "spare_hbm.D", says: "hbm.D, from the steps", quantity: bytes },
  ];
}

/** Before those of all placements: p is another column here. */
function networkColumns(cost: Quantity): readonly Pattern[] {
  return [
    { own: "p_D_U", name: "relu.D.U", says: "what the unit of the cost network gives for the device", quantity: cost },
    { own: "on_D_U", name: "on.D.U", says: "1 where that is not 0" },
    { own: "empty_D", name: "empty.D", says: "1 where the device has nothing" },
  ];
}

function networkRows(cost: Quantity): readonly Pattern[] {
  return [
    { own: "cost_D", name: "cost.D", says: "the device costs no more than the largest", quantity: cost },
    { own: "relu_D_U", name: "relu.D.U", says: "the unit gives at least its input", quantity: cost },
    { own: "active_D_U", name: "active.D.U", says: "and no more where it is on", quantity: cost },
    { own: "off_D_U", name: "off.D.U", says: "and 0 where it is off", quantity: cost },
    { own: "empty_D", name: "empty.D", says: "a device is empty without shards alone" },
    { own: "order_D", name: "order.D", says: "where it has nothing, the next one has nothing" },
  ];
}
