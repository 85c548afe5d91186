/** How an answer may be packed, the best first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/**
 * The coding that a client wants most of those that it takes (`Accept-Encoding`), the better one where it does not
 * mind; null for none.
 */
export function codingFor(accepted: string | null, offered: readonly Coding[] = codings): Coding | null {
  if (!accepted) return null;
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name, weight] = part.split(';').map((text) => text.trim());
        return [name!, weight === undefined ? 1 : Number(/^q=([\d.]+)$/.exec(weight)?.[1] ?? 0)] as const;
      }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = offered.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  return best !== undefined && weightOf(best) > 0 ? best : null;
}
