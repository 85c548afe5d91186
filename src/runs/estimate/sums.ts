export function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

export function scaled<Values extends Record<string, number>>(values: Values, factor: number): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value * factor])) as Values;
}
