const everyMs = 2_000;

/** Tells on standard error, every few seconds, how many labelled items the guard has heard. */
export function itemsHeard(quiet: boolean): (heard: number) => void {
  let shownAt = performance.now();
  return (heard) => {
    if (quiet || performance.now() - shownAt < everyMs) return;
    shownAt = performance.now();
    process.stderr.write(`fitting the cascade: ${heard.toLocaleString('en')} labelled items heard\n`);
  };
}
