import type { SightView } from '../sight.ts';

/** The network's classes, in its order. */
const classes = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;

export type NudityKind = 'explicit' | 'suggestive' | 'none';

export interface Nudity {
  kind: NudityKind;
  /** How sure, 0 to 1. */
  probability: number;
  isDrawing: boolean;
  /** The mean of the looks, by class. */
  classes: Readonly<Record<(typeof classes)[number], number>>;
}

/** The network is surer than it is right: its odds count this much less. */
const softening = 2;
/** Both looks, at the whole and at the middle, must say so. */
const bars = { explicit: 0.75, inSwimwear: 0.85, suggestive: 0.75 };

/**
 * What kind of nudity a picture shows. People in swimwear are often taken for naked ones: beside swimwear more is
 * asked, and short of it they are suggestive at most.
 */
export function judgeNudity(views: readonly SightView[], { hasSwimwear }: { hasSwimwear: boolean }): Nudity {
  const looks = views.map(({ nudity }) => soften(nudity));
  const mean = Object.fromEntries(
    classes.map((name, index) => [name, looks.reduce((sum, look) => sum + look[index]!, 0) / looks.length]),
  ) as Nudity['classes'];
  const isDrawing = mean.drawing + mean.hentai > 0.5;
  const least = (names: readonly (typeof classes)[number][]) =>
    Math.min(...looks.map((look) => names.reduce((sum, name) => sum + look[classes.indexOf(name)]!, 0)));
  const explicit = least(['porn', 'hentai']);
  if (explicit >= (hasSwimwear ? bars.inSwimwear : bars.explicit))
    return { kind: 'explicit', probability: explicit, isDrawing, classes: mean };
  const suggestive = least(['porn', 'hentai', 'sexy']);
  if (suggestive >= bars.suggestive) return { kind: 'suggestive', probability: suggestive, isDrawing, classes: mean };
  return { kind: 'none', probability: 1 - suggestive, isDrawing, classes: mean };
}

/** Probabilities whose odds are drawn towards even. */
function soften(probabilities: Float32Array): number[] {
  const powers = Array.from(probabilities, (value) => value ** (1 / softening));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}
