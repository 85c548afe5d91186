import sharp, { type Sharp } from 'sharp';
import { randomNumbers } from '@agonhq/engine/statistics';

/** A picture of coloured discs, another for each seed: it has much to tell it by, and nothing that anybody owns. */
export function drawPicture(seed: number): Sharp {
  const random = randomNumbers(seed);
  const discs = Array.from({ length: 40 }, () => {
    const [x, y, radius, hue, light] = [random() * 800, random() * 600, 20 + random() * 120, random() * 360, random()];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="hsl(${hue},70%,${20 + light * 60}%)" opacity="0.8"/>`;
  });
  return sharp(
    Buffer.from(`<svg width="800" height="600"><rect width="800" height="600" fill="#446"/>${discs.join('')}</svg>`),
  );
}
