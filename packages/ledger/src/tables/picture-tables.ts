/* What stands for the pixels of judged images, and those of them that stand on a list. */

export interface PictureRows {
  debate: string;
  image: string;
  pdq: string;
  quality: number;
  crops: string;
}

export interface KnownImageRows {
  id: string;
  /** Empty where it was refused before there was a case. */
  case_id: string;
  item: string | null;
  run: string | null;
  image: string;
  pdq: string;
  list: string;
  /** The entry of the list: its hash, and what is said of it. */
  entry: string;
  label: string | null;
  source: string | null;
  distance: number;
  mirrored: number;
  found_at: string;
  state: 'waiting' | 'reported' | 'dismissed';
  note: string | null;
  settled_by: string | null;
  settled_at: string | null;
  /** The file that it is, or is in. */
  file: string | null;
}
