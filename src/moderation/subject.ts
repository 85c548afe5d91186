export type Modality = 'text' | 'image' | 'text+image';

export interface JudgedImage {
  /** `image-1`, `image-2`, … */
  id: string;
  /** `sha256:…` of the original bytes; null when only a description was given. */
  hash: string | null;
  mediaType: string | null;
  width: number | null;
  height: number | null;
}

/** What was judged, by its hash. Its texts are in the answer's `sources`. */
export interface ModerationSubject {
  /** The caller's own id, when one was given. */
  id: string | null;
  hash: string;
  modality: Modality;
  images: readonly JudgedImage[];
}
