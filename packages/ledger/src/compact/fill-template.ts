import { holeMark, type KnownValues } from './write-template.ts';

/** A template that was read: what stands between holes, and which hole follows. */
export interface ReadTemplate {
  literals: readonly string[];
  holes: readonly (number | keyof KnownValues)[];
}

export function readTemplate(template: string): ReadTemplate {
  const parts = template.split(holeMark);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    holes: parts
      .filter((_, index) => index % 2 === 1)
      .map((name) => (/^\d+$/.test(name) ? Number(name) : (name as keyof KnownValues))),
  };
}

const writeKnown = (value: KnownValues[keyof KnownValues]): string | number | null =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : value;

/** The JSON of an answer as it was, given the values of its holes as they stand in JSON. */
export function fillTemplate(
  { literals, holes }: ReadTemplate,
  known: KnownValues,
  values: readonly string[],
  seal: string,
): string {
  let json = literals[0]!;
  for (let index = 0; index < holes.length; index += 1) {
    const hole = holes[index]!;
    json += (typeof hole === 'number' ? values[hole] : writeKnown(known[hole])) + literals[index + 1]!;
  }
  return `${json.slice(0, -1)},"seal":"${seal}"}`;
}
