/** How Whisper listens: sixteen thousand samples a second, in windows of thirty seconds. */
export const sampleRate = 16_000;
export const windowSeconds = 30;

/** Steps of ten milliseconds in a window, and bands in each. */
export const melFrames = 3000;
export const melBands = 80;

const fftSize = 400;
const hop = 160;
const bins = fftSize / 2 + 1;

/**
 * The loudness of a window's pitches over time, as Whisper was taught to read it: the logarithm of eighty mel bands,
 * band after band. What is missing of the thirty seconds is silence.
 */
export function computeLogMel(samples: Float32Array): Float32Array {
  const padded = padWindow(samples);
  const mel = new Float32Array(melBands * melFrames).fill(-10);
  const power = new Float64Array(bins);
  const frames = Math.min(melFrames, Math.ceil((samples.length + fftSize) / hop));
  let loudest = -10;
  for (let frame = 0; frame < frames; frame += 1) {
    computePower(padded, frame * hop, power);
    for (const [band, { start, weights }] of filters.entries()) {
      let energy = 0;
      for (let index = 0; index < weights.length; index += 1) energy += weights[index]! * power[start + index]!;
      const level = Math.log10(Math.max(energy, 1e-10));
      mel[band * melFrames + frame] = level;
      if (level > loudest) loudest = level;
    }
  }
  return mel.map((level) => (Math.max(level, loudest - 8) + 4) / 4);
}

/** Thirty seconds, mirrored at the start so that the first step has something on both sides. */
function padWindow(samples: Float32Array): Float32Array {
  const half = fftSize / 2;
  const padded = new Float32Array(windowSeconds * sampleRate + fftSize);
  padded.set(samples.subarray(0, windowSeconds * sampleRate), half);
  for (let index = 1; index <= half; index += 1) {
    padded[half - index] = padded[half + index]!;
    padded[padded.length - half - 1 + index] = padded[padded.length - half - 1 - index]!;
  }
  return padded;
}

const hann = Float64Array.from(
  { length: fftSize },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / fftSize),
);
const cosines = Float64Array.from({ length: fftSize }, (_, index) => Math.cos((2 * Math.PI * index) / fftSize));
const sines = Float64Array.from({ length: fftSize }, (_, index) => Math.sin((2 * Math.PI * index) / fftSize));
const even = new Float64Array(bins);
const odd = new Float64Array(bins);

/** How strong each frequency is. A sample and its mirror image share their cosine, so half of the sums are enough. */
function computePower(padded: Float32Array, from: number, power: Float64Array): void {
  const half = fftSize / 2;
  even[0] = padded[from]! * hann[0]!;
  even[half] = padded[from + half]! * hann[half]!;
  for (let index = 1; index < half; index += 1) {
    const left = padded[from + index]! * hann[index]!;
    const right = padded[from + fftSize - index]! * hann[fftSize - index]!;
    even[index] = left + right;
    odd[index] = left - right;
  }
  for (let bin = 0; bin < bins; bin += 1) {
    let real = even[0] + even[half] * (bin % 2 === 0 ? 1 : -1);
    let imaginary = 0;
    let turn = 0;
    for (let index = 1; index < half; index += 1) {
      turn += bin;
      if (turn >= fftSize) turn -= fftSize;
      real += even[index]! * cosines[turn]!;
      imaginary += odd[index]! * sines[turn]!;
    }
    power[bin] = real * real + imaginary * imaginary;
  }
}

const straight = 200 / 3;
const bend = 1000 / straight;
const step = Math.log(6.4) / 27;

/** Triangles of equal area over the mel scale, after Slaney: straight to 1,000 Hz, logarithmic above. */
const filters = makeFilters();

function makeFilters(): { start: number; weights: Float64Array }[] {
  const top = toMel(sampleRate / 2);
  const edges = Array.from({ length: melBands + 2 }, (_, index) => toHertz((top * index) / (melBands + 1)));
  return Array.from({ length: melBands }, (_, band) => {
    const [low, middle, high] = edges.slice(band, band + 3) as [number, number, number];
    const all = Array.from({ length: bins }, (__, bin) => {
      const hertz = (bin * sampleRate) / fftSize;
      const height = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      return (Math.max(0, height) * 2) / (high - low);
    });
    const start = Math.max(
      0,
      all.findIndex((weight) => weight > 0),
    );
    const end = all.findLastIndex((weight) => weight > 0) + 1;
    return { start, weights: Float64Array.from(all.slice(start, end)) };
  });
}

function toMel(hertz: number): number {
  return hertz < 1000 ? hertz / straight : bend + Math.log(hertz / 1000) / step;
}

function toHertz(mel: number): number {
  return mel < bend ? mel * straight : 1000 * Math.exp(step * (mel - bend));
}
