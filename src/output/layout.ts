// Which columns of a table a terminal has room for, and how wide each is.

/** What a column would like. */
export interface ColumnConstraints {
  /** 1 is kept longest. */
  readonly priority: number;
  /** The width of its widest cell, header included. */
  readonly natural: number;
  /** The width it should have at least before a column of lower priority is given up; absent for what is never cut. */
  readonly preferred?: number | undefined;
}

/** A column that is shown. */
export interface FittedColumn {
  readonly index: number;
  readonly width: number;
}

/** Spaces between two columns. */
export const columnGap = 2;

/** Columns up to this priority stay as long as the others can be read at all. */
const maxEssentialPriority = 2;

/** What a cell that can be cut is never narrower than: three letters and the sign of the cut. */
const minColumnWidth = 4;

/** The columns that are shown, in their order, together never wider than the width. The last one left is cut where it must be. */
export function fitColumns(wishes: readonly ColumnConstraints[], width: number): readonly FittedColumn[] {
  const kept = wishes.map((wish, index) => ({
    ...wish,
    index,
    natural: wish.preferred === undefined ? wish.natural : Math.min(wish.natural, width),
  }));
  const comfortable = (wish: ColumnConstraints) => Math.min(wish.natural, wish.preferred ?? wish.natural);
  const tightest = (wish: ColumnConstraints) => Math.min(wish.natural, wish.preferred === undefined ? wish.natural : minColumnWidth);
  while (kept.length > 1 && findLowestPriority(kept).priority > maxEssentialPriority && sumWidths(kept.map(comfortable)) > width)
    kept.splice(kept.indexOf(findLowestPriority(kept)), 1);
  while (kept.length > 1 && sumWidths(kept.map(tightest)) > width) kept.splice(kept.indexOf(findLowestPriority(kept)), 1);
  const widths = kept.map((wish) => wish.natural);
  while (sumWidths(widths) > width) {
    // First goes what a column has beyond its comfort, the most of it first; then the widest gives way, and the narrow keep what they need.
    const cuttable = kept.map((wish, place) => (wish.preferred === undefined && kept.length > 1 ? 0 : (widths[place] ?? 0)));
    const spare = kept.map((wish, place) => (cuttable[place] ?? 0) - comfortable(wish));
    const [most, from] = Math.max(...spare) > 0 ? [Math.max(...spare), spare] : [Math.max(...cuttable), cuttable];
    const widest = from.indexOf(most);
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return kept.map(({ index }, place) => ({ index, width: widths[place] ?? 1 }));
}

function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + columnGap, -columnGap);
}

/** The column to give up first: of the lowest priority the last. */
function findLowestPriority<T extends ColumnConstraints>(wishes: readonly T[]): T {
  return wishes.reduce((worst, wish) => (wish.priority >= worst.priority ? wish : worst));
}
