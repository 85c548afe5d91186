const known: ReadonlyMap<string, 'safe' | 'unsafe'> = new Map([
  ...['safe', 'unharmful', '0', 'false'].map((word) => [word, 'safe'] as const),
  ...['unsafe', 'harmful', '1', 'true'].map((word) => [word, 'unsafe'] as const),
]);

/** What a label of published data means (safe/unsafe, harmful/unharmful, 0/1, true/false); undefined for any other. */
export function readSafetyLabel(value: unknown): 'safe' | 'unsafe' | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? known.get(String(value).trim().toLowerCase())
    : undefined;
}
