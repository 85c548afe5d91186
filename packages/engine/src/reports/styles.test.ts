import { describe, expect, test } from 'vitest';
import { dark, light, type Palette } from './styles.ts';

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dim! + 0.05);
}

const grounds: Partial<Record<keyof Palette, (keyof Palette)[]>> = {
  ink: ['paper', 'surface', 'riskGround', 'implicitGround', 'exonerationGround', 'bothGround', 'cautionGround'],
  quiet: ['paper', 'surface'],
  link: ['paper', 'surface'],
  risk: ['paper', 'surface', 'riskGround'],
  implicit: ['paper', 'surface', 'implicitGround'],
  exoneration: ['paper', 'surface', 'exonerationGround'],
  both: ['paper', 'surface', 'bothGround'],
  caution: ['paper', 'surface', 'cautionGround'],
  // What stands in the filled marks of a drawing.
  paper: ['ink', 'risk', 'implicit', 'both'],
};

describe.each([
  ['light', light],
  ['dark', dark],
])('in the %s palette', (_, palette) => {
  test.each(
    Object.entries(grounds).flatMap(([text, all]) => all.map((ground) => [text as keyof Palette, ground] as const)),
  )('%s on %s has the contrast that WCAG AA asks of text', (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });
});
