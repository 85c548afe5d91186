/** A system that can be asked for by its name alone, without a file or a service of its own. */
export interface OfferedSystem {
  /** `full`; or with a model of the caller's choice, `judge:provider:model`. */
  name: string;
  /** Who judges, in a line. */
  does: string;
}

const lines = {
  full: 'The whole debate, as configured.',
  debate: 'The whole debate, as configured.',
  guard: 'The embedded guard model alone. Costs nothing.',
  judge: 'One judge alone, in the seat of that name.',
  vote: 'The models of the seats, each on its own; the majority counts.',
  'role-free': 'The same models debate without roles, then vote.',
  control: 'Independent votes for the tokens that the debate spent on the same item. Needs the debate beside it.',
  'without-retrieval': 'The debate without precedents.',
  'without-supporter': 'The debate without the supporter.',
  'without-strict': 'The debate without the strict debater.',
  'without-loose': 'The debate without the loose debater.',
  'without-debate': 'The arbiter alone, without a debate before it.',
  'rounds-1': 'The debate with one round.',
  'rounds-2': 'The debate with two rounds.',
  'rounds-3': 'The debate with three rounds.',
  'refusal-match': 'Looks for words of refusal. Asks no model.',
  'prefix-match': 'Looks for words of refusal at the beginning. Asks no model.',
  'pattern-match': 'Looks for words of refusal anywhere. Asks no model.',
  single: 'One check of each claim, without a debate.',
  'zero-shot': 'One judge reads the document once and labels all claims.',
  'all-arbiter': 'The debate with the model of the last word in every seat.',
  'all-debaters': 'The debate with the debaters’ model in every seat.',
  'judge:provider:model': 'One judge alone, of any model.',
  'all:provider:model': 'The debate with one model in every seat.',
  'seat:NAME=provider:model': 'The debate with another model in one seat.',
} as const satisfies Record<string, string>;

/** Systems with what each of them is. */
export function offerSystems(names: readonly (keyof typeof lines)[]): OfferedSystem[] {
  return names.map((name) => ({ name, does: lines[name] }));
}

/** Whether a name is one that is offered, with any model where it leaves the model open. */
export function isOffered(name: string, offered: readonly OfferedSystem[]): boolean {
  return offered.some((one) => {
    const [before, after] = one.name.split('provider:model');
    if (after === undefined) return one.name === name;
    const beginning = before!.replace('NAME', '[a-z-]+(?:#[123])?');
    return new RegExp(`^${beginning}[^\\s:]+:\\S+$`).test(name);
  });
}
