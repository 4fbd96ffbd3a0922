import type { Fact } from "../../../facts/facts.js";
import type { Said } from "../../../text/said.js";
import { bytes, count, percent } from "../../../text/units.js";
import { plainUnit } from "../../../text/value-unit.js";
import { amongText } from "../facts.js";
import type { PlacementExplanation } from "../plan-file/explanation.js";

/** The question of {@link memoryFacts}, where it was not computed. */
const MEMORY = "whether memory binds";

/** Tables listed by name. */
const MAX_NAMED = 8;

/** What binds a plan, and which parts of it no choice avoids. */
export function explanationFacts(explanation: PlacementExplanation): readonly Fact[] {
  const { tables, notComputed, binding } = explanation;
  const only = tables.filter(({ without }) => without.kind === "only-option").length;
  const hasNoChoice = only === tables.length;
  return [
    ...betterFacts(explanation),
    { name: "load binds", said: loadText(explanation) },
    // What was not asked is said once, among what was not computed.
    ...(binding.memory === "open" && notComputed.some(({ what }) => what === MEMORY) ? [] : memoryFacts(explanation)),
    ...irreducibleFacts(explanation),
    ...(hasNoChoice ? [{ name: "options", said: "every table has one alone: only its devices are chosen" }] : []),
    ...notComputed.map(({ what, tables: named, reason }) => ({
      name: "not computed",
      said: `${what}${named.length === 0 ? "" : ` of ${listed(named)}`}: ${reason}`,
    })),
  ];
}

/** A plan that was found while looking for what others cost. */
function betterFacts({ tables, plan }: PlacementExplanation): readonly Fact[] {
  const own = plan.objective.value ?? 0;
  const better = tables
    .flatMap(({ name, without: { value } }) => (value !== null && value < own ? [{ name, value }] : []))
    .sort((a, b) => a.value - b.value)[0];
  if (better === undefined) return [];
  const text = plainUnit(plan.objective.unit).text(better.value);
  return [
    { name: "a better plan", said: `one of ${text} was found with another option of ${better.name}; plan again` },
  ];
}

function loadText({ binding, devices }: PlacementExplanation): Said {
  const { devices: largest, tables } = binding;
  const where =
    largest.length === devices.length && largest.length > 1
      ? "all devices, alike"
      : largest.length > MAX_NAMED
        ? `${count(largest.length)} devices`
        : `${largest.length === 1 ? "device" : "devices"} ${largest.join(", ")}`;
  return `${where}: ${listed(tables)}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? `, … ${count(names.length - MAX_NAMED)} more` : "";
  return `${names.slice(0, MAX_NAMED).join(", ")}${more}`;
}

function memoryFacts({ binding, plan }: PlacementExplanation): readonly Fact[] {
  const { memory, withoutLimit } = binding;
  const unit = plainUnit(plan.objective.unit);
  if (withoutLimit === null) return [];
  const { bound, value } = withoutLimit;
  const least = bound === null ? null : unit.boundText(bound);
  const among = amongText(plan);
  const own = plan.objective.value ?? 0;
  const said: Readonly<Record<Exclude<typeof memory, "unlimited">, Said>> = {
    free: ["no: none", among, " is below ", least, " with any memory either"],
    binds: [
      "yes: without its limits a plan of ",
      unit.text(value ?? 0),
      own === 0 ? null : ` (${percent(1 - (value ?? 0) / own)} less) was found`,
      least === null ? null : [", none", among, " below ", least],
    ],
    open: [
      value !== null && value < own
        ? [
            "not known: without its limits a plan of ",
            unit.text(value),
            " was found, and the plan is not proved best within",
          ]
        : "not known: no better plan was found without its limits",
      least && ["; without them none", among, " is below ", least],
    ],
  };
  return memory === "unlimited" ? [] : [{ name: "memory binds", said: said[memory] }];
}

function irreducibleFacts({ irreducible, plan }: PlacementExplanation): readonly Fact[] {
  const { shardCost, shardBytes, meanCost, meanBytes } = irreducible;
  const unit = plainUnit(plan.objective.unit);
  const facts: Fact[] = [];
  const share = (part: number | null, of: string) => (part === null ? null : ` (${percent(part)} of ${of})`);
  const add = (said: Said) => facts.push({ name: facts.length === 0 ? "irreducible" : "", said });
  if (shardCost !== null) {
    const cost = unit.boundText(shardCost.cost);
    add([
      `table ${shardCost.table}: every option costs some device at least `,
      cost,
      share(shardCost.share, "the plan"),
    ]);
  }
  if (shardBytes !== null) {
    const size = bytes(shardBytes.bytes);
    const of = share(shardBytes.share, "what a device has");
    add([`table ${shardBytes.table}: every option puts at least `, size, " on some device", of]);
  }
  if (meanCost !== null) {
    const cost = unit.boundText(meanCost.cost);
    add([
      "all tables with their cheapest options, spread evenly: ",
      cost,
      " a device",
      share(meanCost.share, "the plan"),
    ]);
  }
  if (meanBytes.bytes > 0) {
    const size = bytes(meanBytes.bytes);
    const of = share(meanBytes.share, "what a device has");
    add(["all tables with their smallest options, spread evenly: ", size, " a device", of]);
  }
  return facts;
}
