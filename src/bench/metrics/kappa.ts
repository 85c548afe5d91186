/**
 * Cohen's kappa of a square table of counts: rows as one rater said it, columns as the other did. Null where chance
 * alone explains all.
 */
export function kappaOf(table: readonly (readonly number[])[]): number | null {
  const rows = table.map((row) => row.reduce((total, count) => total + count, 0));
  const columns = table.map((_, column) => table.reduce((total, row) => total + row[column]!, 0));
  const all = rows.reduce((total, count) => total + count, 0);
  const met = table.reduce((total, row, label) => total + row[label]!, 0);
  // In counts, which are exact: chance is `byChance / all` of all.
  const byChance = rows.reduce((total, count, label) => total + count * columns[label]!, 0);
  return all === 0 || byChance === all * all ? null : (all * met - byChance) / (all * all - byChance);
}

/** Cohen's kappa of what two raters said of the same items, in any labels. */
export function cohenKappa(first: readonly string[], second: readonly string[]): number | null {
  const labels = [...new Set([...first, ...second])];
  const places = new Map(labels.map((label, place) => [label, place]));
  const table = labels.map(() => labels.map(() => 0));
  first.forEach((label, item) => {
    table[places.get(label)!]![places.get(second[item]!)!]! += 1;
  });
  return kappaOf(table);
}
