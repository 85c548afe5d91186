import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api.js';
import { right, bottom, within, type Area } from './geometry.ts';

/** A drawn line of a page: thin, along one axis. */
export interface Rule extends Area {
  direction: 'horizontal' | 'vertical';
}

export interface Graphics {
  rules: Rule[];
  /** Which part of the page images cover, 0 to 1. */
  imageShare: number;
}

interface Operations {
  save: number;
  restore: number;
  transform: number;
  constructPath: number;
  paintFormXObjectBegin: number;
  paintFormXObjectEnd: number;
  paintImageXObject: number;
  paintInlineImageXObject: number;
  paintImageMaskXObject: number;
  stroke: number;
  closeStroke: number;
  fill: number;
  eoFill: number;
  fillStroke: number;
  eoFillStroke: number;
}

type Matrix = readonly [number, number, number, number, number, number];
const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** A filled rectangle thinner than this is drawn as a line. */
const thickestRule = 3;
const shortestRule = 6;

/** What a page draws besides text. The list of operations also makes the page's fonts known. */
export async function readGraphics(
  page: PDFPageProxy,
  operations: Operations,
  viewport: { transform: number[]; width: number; height: number },
): Promise<Graphics> {
  const list = await page.getOperatorList();
  const start = viewport.transform as unknown as Matrix;
  const stack: Matrix[] = [];
  let matrix = start;
  const rules: Rule[] = [];
  const images: Area[] = [];
  const strokes = new Set([operations.stroke, operations.closeStroke, operations.fillStroke, operations.eoFillStroke]);
  const fills = new Set([operations.fill, operations.eoFill, operations.fillStroke, operations.eoFillStroke]);
  for (const [index, operation] of list.fnArray.entries()) {
    const values = list.argsArray[index] as unknown[] | null;
    if (operation === operations.save) stack.push(matrix);
    else if (operation === operations.restore) matrix = stack.pop() ?? start;
    else if (operation === operations.transform) matrix = multiply(matrix, values as unknown as Matrix);
    else if (operation === operations.paintFormXObjectBegin) {
      stack.push(matrix);
      matrix = multiply(matrix, (values?.[0] as Matrix | null) ?? identity);
    } else if (operation === operations.paintFormXObjectEnd) matrix = stack.pop() ?? start;
    else if (operation === operations.constructPath) {
      const [painted, [path]] = values as [number, [Float32Array | null]];
      if (path && (strokes.has(painted) || fills.has(painted)))
        rules.push(...findRules(path, matrix, strokes.has(painted)));
    } else if (
      operation === operations.paintImageXObject ||
      operation === operations.paintInlineImageXObject ||
      operation === operations.paintImageMaskXObject
    ) {
      images.push(
        within(
          boundPoints(
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 1],
            ],
            matrix,
          ),
          viewport,
        ),
      );
    }
  }
  return {
    rules,
    imageShare:
      images.reduce((share, image) => share + image.width * image.height, 0) / (viewport.width * viewport.height),
  };
}

function findRules(path: Float32Array, matrix: Matrix, stroked: boolean): Rule[] {
  const rules: Rule[] = [];
  for (const points of readPolygons(path)) {
    const area = boundPoints(points, matrix);
    if (points.length > 1 && Math.min(area.width, area.height) <= thickestRule) {
      rules.push(...toRule(area));
      continue;
    }
    if (!stroked) continue;
    for (const [index, point] of points.entries())
      if (index > 0) rules.push(...toRule(boundPoints([points[index - 1]!, point], matrix)));
  }
  return rules;
}

function toRule(area: Area): Rule[] {
  if (area.height <= thickestRule && area.width >= shortestRule && area.width > area.height)
    return [{ ...area, direction: 'horizontal' }];
  if (area.width <= thickestRule && area.height >= shortestRule) return [{ ...area, direction: 'vertical' }];
  return [];
}

/** Straight sub-paths; one with a curve bounds nothing a table would. The numbers are pdf.js's drawing codes. */
function readPolygons(path: Float32Array): [number, number][][] {
  const all: [number, number][][] = [];
  let points: [number, number][] = [];
  for (let at = 0; at < path.length;) {
    const code = path[at]!;
    if (code === 0) {
      if (points.length > 1) all.push(points);
      points = [[path[at + 1]!, path[at + 2]!]];
      at += 3;
    } else if (code === 1) {
      points.push([path[at + 1]!, path[at + 2]!]);
      at += 3;
    } else if (code === 4) {
      if (points.length > 0) points.push(points[0]!);
      at += 1;
    } else {
      points = [];
      at += code === 2 ? 7 : 5;
    }
  }
  if (points.length > 1) all.push(points);
  return all;
}

function boundPoints(points: readonly (readonly [number, number])[], matrix: Matrix): Area {
  const xs = points.map(([x, y]) => matrix[0] * x + matrix[2] * y + matrix[4]);
  const ys = points.map(([x, y]) => matrix[1] * x + matrix[3] * y + matrix[5]);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function multiply(one: Matrix, other: Matrix): Matrix {
  return [
    one[0] * other[0] + one[2] * other[1],
    one[1] * other[0] + one[3] * other[1],
    one[0] * other[2] + one[2] * other[3],
    one[1] * other[2] + one[3] * other[3],
    one[0] * other[4] + one[2] * other[5] + one[4],
    one[1] * other[4] + one[3] * other[5] + one[5],
  ];
}

/** Whether a rule lies along the stretch from `start` to `end` at `position`. */
export function isRuledAt(
  rules: readonly Rule[],
  direction: Rule['direction'],
  position: number,
  start: number,
  end: number,
): boolean {
  const middle = (start + end) / 2;
  return rules.some((rule) => {
    if (rule.direction !== direction) return false;
    const [at, from, to] =
      direction === 'horizontal'
        ? [rule.y + rule.height / 2, rule.x, right(rule)]
        : [rule.x + rule.width / 2, rule.y, bottom(rule)];
    return Math.abs(at - position) <= 2.5 && from - 1 <= middle && to + 1 >= middle;
  });
}
