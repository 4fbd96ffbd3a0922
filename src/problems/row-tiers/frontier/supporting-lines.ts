import { Rational } from "../../../exact/rational.js";
import { ConvexCurve, ConvexityError, type CurvePoint } from "./convex-curve.js";

/** The line seconds + slope · (M − bytes): nowhere above the curve, and on it, exactly, at `bytes`. */
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
   * Where they cross, as a double where that is near enough, so that numbers are short; and how high they are there.
   */
  readonly crossing: CurvePoint;
  readonly error: number;
}

/** Relative to the least seconds in a gap, the one at its end. */
const NEGLIGIBLE = Rational.parse("1e-14");

/**
 * A convex falling curve from a procedure that finds a supporting line at any one memory (Eisner and Severance 1976):
 * where two neighbouring lines cross, either the curve goes through the crossing, which is then a break-point, or a
 * further line lies above it there. Lines are sought where the curve can still be farthest above them, which is at most
 * the chord between the two points where they touch it.
 *
 * Every line is a bound by itself, so the curve that comes out, the highest of the lines, is never above the true one;
 * `precision` says how far below it can be, relative to its value: in exact arithmetic, rounded up.
 */
export function curveOfLines(search: LineSearch): { curve: ConvexCurve; precision: number } {
  const { ends, precision, mostLines, shouldStop } = search;
  const settled: Gap[] = [];
  const touching: CurvePoint[] = [...ends];
  const open: Gap[] = [gapBetween(...ends)];
  let lines: number = ends.length;
  for (;;) {
    const worst = open.reduce((most, { error }, k) => (error > (open[most] as Gap).error ? k : most), 0);
    const gap = open[worst];
    if (gap === undefined || gap.error <= precision || lines >= mostLines || shouldStop()) break;
    open.splice(worst, 1);
    const { crossing } = gap;
    const line = search.at(crossing.bytes);
    touching.push(line);
    lines++;
    const above = line.seconds.subtract(crossing.seconds);
    if (above.compare(negligible(gap.to)) <= 0) settled.push({ ...gap, error: 0 });
    else open.push(gapBetween(gap.from, line), gapBetween(line, gap.to));
  }
  const gaps = [...settled, ...open].sort((a, b) => a.from.bytes.compare(b.from.bytes));
  const found = [...gaps.map(({ from }) => from), ends[1]];
  const curve = highest(found, ends[0].bytes);
  touching.sort((a, b) => a.bytes.compare(b.bytes));
  return { curve, precision: distance(touching, curve).toNumberUp() };
}

/**
 * How far a curve of lines can be below the true one, relative to its value. That is nowhere above the chords between the
 * points where lines touch it (by rising memory), nor above the last of them from there on. Between two memories where
 * one of both breaks they are straight, and the share of the one in the other is monotone: the most is at such a memory.
 */
function distance(touching: readonly CurvePoint[], curve: ConvexCurve): Rational {
  const chords = new ConvexCurve(touching.length, (k) => touching[k] as CurvePoint);
  const breaks = Array.from({ length: curve.count }, (_, k) => curve.at(k).bytes);
  let most = Rational.zero;
  for (const bytes of [...touching.map((point) => point.bytes), ...breaks]) {
    const [above, below] = [chords.valueAt(bytes), curve.valueAt(bytes)];
    if (above === null || below === null || above.sign() <= 0) continue;
    const share = above.subtract(below).divide(above);
    if (share.compare(most) > 0) most = share;
  }
  return most;
}

function gapBetween(from: SupportingLine, to: SupportingLine): Gap {
  const nothing = { from, to, crossing: from, error: 0 };
  if (to.slope.compare(from.slope) <= 0) return nothing;
  const exact = crossingOf(from, to);
  if (exact.compare(from.bytes) <= 0 || exact.compare(to.bytes) >= 0) return nothing;
  const rounded = Rational.fromNumber(exact.toNumber());
  // Next to a steep line a double is not near enough; it may even be outside.
  const isNear =
    rounded.compare(from.bytes) > 0 &&
    rounded.compare(to.bytes) < 0 &&
    rounded.subtract(exact).multiply(from.slope).absolute().compare(negligible(to)) <= 0;
  const bytes = isNear ? rounded : exact;
  const crossing = { bytes, seconds: higher(heightOf(from, bytes), heightOf(to, bytes)) };
  const share = bytes.subtract(from.bytes).divide(to.bytes.subtract(from.bytes));
  const chord = from.seconds.add(share.multiply(to.seconds.subtract(from.seconds)));
  const above = chord.subtract(crossing.seconds).toNumber();
  return { from, to, crossing, error: above <= 0 ? 0 : above / Math.abs(chord.toNumber()) };
}

/**
 * A line that is no more above where two others cross than this shows that the curve breaks there: in relation to the
 * seconds at the end of the gap, of which there may be next to none beside those at its start.
 */
function negligible(to: SupportingLine): Rational {
  return NEGLIGIBLE.multiply(to.seconds.absolute());
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
