/** A text that evidence may quote, by its id in the case file (`text`, `image-1/ocr`, …). */
export interface Source {
  id: string;
  text: string;
}

/** A half-open range in UTF-16 code units of the original text. */
export interface Range {
  start: number;
  end: number;
}
