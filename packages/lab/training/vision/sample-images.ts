/** Pictures that code draws, the same each time: what originals and converted models are compared on. */
export function drawSample(index: number, side: number): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(side * side * 3);
  let seed = 12345 + index * 7919;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const sky = [random() * 255, random() * 255, random() * 255];
  const discs = Array.from({ length: 4 + index * 3 }, () => ({
    x: random() * side,
    y: random() * side,
    radius: (0.05 + random() * 0.25) * side,
    stretch: 0.3 + random() * 2,
    colour: [random() * 255, random() * 255, random() * 255],
  }));
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const disc = discs.findLast((one) => Math.hypot((x - one.x) * one.stretch, y - one.y) < one.radius);
      const light = 0.6 + (0.4 * y) / side;
      const texture = index % 2 === 0 ? 12 * Math.sin((x + 2 * y) / 5) : 0;
      for (let channel = 0; channel < 3; channel += 1) {
        const value = (disc?.colour ?? sky)[channel]! * light + texture;
        pixels[(y * side + x) * 3 + channel] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
  }
  return pixels;
}

export const sampleCount = 4;
