import type { Observation } from '../../debate/index.ts';
import type { Source } from '../../evidence/index.ts';

/** What the preprocessor works with; handed in at the edge. */
export interface ModerationTools {
  deobfuscate(source: Source): Observation[];
  findInjections(source: Source): Observation[];
  loadImage(file: string): Promise<Uint8Array>;
  inspectImage(bytes: Uint8Array, name: string): Promise<InspectedImage>;
  readImageText(image: Uint8Array, options: { signal: AbortSignal }): Promise<{ text: string; confidence: number }>;
}

export interface InspectedImage {
  hash: string;
  mediaType: string;
  width: number;
  height: number;
  notes: string[];
  /** What a vision model is shown. */
  vision: { mediaType: string; data: Uint8Array };
  /** What OCR reads. */
  ocr: Uint8Array;
}
