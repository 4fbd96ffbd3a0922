import { Rational } from "../../../exact/rational.js";
import { ConvexCurve, ConvexityError, type CurvePoint } from "./convex-curve.js";

/** The line seconds + slope · (M − bytes): nowhere above the curve, and on it (or nearly) at `bytes`. */
export interface SupportingLine extends CurvePoint {
  /** Not above zero. */
  readonly slope: Rational;
}

export interface LineSearch {
  /** The line at the curve's least memory and one so far to the right that it is level there. */
  readonly ends: readonly [SupportingLine, SupportingLine];
  /** A line that supports the curve at a memory. */
  readonly at: (bytes: Rational) => SupportingLine;
  /** Relative to the curve's value: how near the lines must come to it. */
  readonly precision: number;
  readonly mostLines: number;
  readonly shouldStop: () => boolean;
}

/** A memory interval between two lines, with the most that the curve can be above them in it. */
interface Gap {
  readonly from: SupportingLine;
  readonly to: SupportingLine;
  /**
   * Where they cross, or next to it: a double, so that numbers do not grow longer from line to line; and how high they
   * are there.
   */
  readonly crossing: CurvePoint;
  readonly error: number;
}

/** Not even where lines meet the curve is it known better than this: weights are doubles. */
const ROUNDED = 1e-12;

/** A line that meets the curve within this much of where two others cross shows that the curve breaks there. */
const MET = Rational.parse("1e-14");

/**
 * A convex falling curve from a procedure that finds a supporting line at any one memory (Eisner and Severance 1976):
 * where two neighbouring lines cross, either the curve goes through the crossing, which is then a break-point, or a
 * further line lies above it there. Lines are sought where the curve can still be farthest above them, which is at most
 * the chord between the two points where they touch it.
 *
 * Every line is a bound by itself, so the curve that comes out, the highest of the lines, is never above the true one;
 * `precision` says how far below it can be, relative to its value.
 */
export function curveOfLines(search: LineSearch): { curve: ConvexCurve; precision: number } {
  const { ends, precision, mostLines, shouldStop } = search;
  const settled: Gap[] = [];
  const open: Gap[] = [gapBetween(...ends)];
  let lines: number = ends.length;
  for (;;) {
    const worst = open.reduce((most, { error }, k) => (error > (open[most] as Gap).error ? k : most), 0);
    const gap = open[worst];
    if (gap === undefined || gap.error <= precision || lines >= mostLines || shouldStop()) break;
    open.splice(worst, 1);
    const { crossing } = gap;
    const line = search.at(crossing.bytes);
    lines++;
    const above = line.seconds.subtract(crossing.seconds);
    if (above.compare(MET.multiply(crossing.seconds.absolute())) <= 0) settled.push({ ...gap, error: 0 });
    else open.push(gapBetween(gap.from, line), gapBetween(line, gap.to));
  }
  const gaps = [...settled, ...open].sort((a, b) => a.from.bytes.compare(b.from.bytes));
  const found = [...gaps.map(({ from }) => from), ends[1]];
  const errors = gaps.map(({ error }) => error);
  return { curve: highest(found, ends[0].bytes), precision: errors.reduce((a, b) => Math.max(a, b), ROUNDED) };
}

function gapBetween(from: SupportingLine, to: SupportingLine): Gap {
  const nothing = { from, to, crossing: from, error: 0 };
  if (to.slope.compare(from.slope) <= 0) return nothing;
  const bytes = Rational.fromNumber(crossingOf(from, to).toNumber());
  // With weights in doubles two lines may cross just outside of where they touch the curve: there is nothing between.
  if (bytes.compare(from.bytes) <= 0 || bytes.compare(to.bytes) >= 0) return nothing;
  const crossing = { bytes, seconds: higher(heightOf(from, bytes), heightOf(to, bytes)) };
  const share = bytes.subtract(from.bytes).divide(to.bytes.subtract(from.bytes));
  const chord = from.seconds.add(share.multiply(to.seconds.subtract(from.seconds)));
  const above = chord.subtract(crossing.seconds).toNumber();
  return { from, to, crossing, error: above <= 0 ? 0 : above / Math.abs(chord.toNumber()) };
}

function higher(a: Rational, b: Rational): Rational {
  return a.compare(b) >= 0 ? a : b;
}

function crossingOf(a: SupportingLine, b: SupportingLine): Rational {
  const rise = interceptOf(a).subtract(interceptOf(b));
  return rise.divide(b.slope.subtract(a.slope));
}

function interceptOf({ bytes, seconds, slope }: SupportingLine): Rational {
  return seconds.subtract(slope.multiply(bytes));
}

function heightOf({ bytes, seconds, slope }: SupportingLine, at: Rational): Rational {
  return seconds.add(slope.multiply(at.subtract(bytes)));
}

/** The highest of some lines from a memory on: where it breaks, exactly. */
function highest(lines: readonly SupportingLine[], least: Rational): ConvexCurve {
  const rising = [...lines].sort((a, b) => a.slope.compare(b.slope) || interceptOf(a).compare(interceptOf(b)));
  /** The lines that are highest somewhere, and where each begins to be. */
  const kept: { line: SupportingLine; from: Rational }[] = [];
  for (const line of rising) {
    let from = least;
    for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
      if (last.line.slope.equals(line.slope)) kept.pop();
      else {
        from = crossingOf(last.line, line);
        if (from.compare(last.from) > 0) break;
        kept.pop();
        from = least;
      }
    }
    kept.push({ line, from });
  }
  const points = kept.map(({ line, from }) => ({ bytes: from, seconds: heightOf(line, from) }));
  points.forEach(({ bytes, seconds }, k) => {
    const before = points[k - 1];
    if (before !== undefined && (bytes.compare(before.bytes) <= 0 || seconds.compare(before.seconds) >= 0)) {
      throw new ConvexityError("the highest of the supporting lines is not convex and falling");
    }
  });
  return new ConvexCurve(points.length, (k) => points[k] as CurvePoint);
}
