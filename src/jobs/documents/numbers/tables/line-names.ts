/* What the header of a line says of the numbers in it. */

/** A rate and not an amount. */
export const ratioName =
  /%|\b(?:margins?|growth|shares? of|percent(?:age)?|rate|ratio|yoy|y\/y|change|variance|mix|weight|proportion|yield|utili[sz]ation|occupancy|churn|bps|pp)\b|\bshare\b(?!s| capital| premium|holder)/i;
/** A change between two others. */
export const growthName =
  /\b(?:growth|change|yoy|y\/y|y-o-y|qoq|variance|increase|decrease|difference|delta|movement|vs)\b|\b(?:var|diff)(?:\.|\s?\(?%)|[Δ∆±]|\+\s?\/\s?[-−–]|^\+\s?%$/i;
export const shareName =
  /\b(?:share(?=\s*$|\s+of\b|\s*[(%,])|mix|weight|weighting|proportion|contribution|portion)\b|(?:%|percent(?:age)?)\s+(?:of|to)\b/i;
/** What was planned, and not what came. */
export const planName = /\b(?:budget(?:ed)?|plan(?:ned)?|target|forecast)\b/i;
