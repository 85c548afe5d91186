/** A clause of a policy file, and the line on which its id stands. */
interface ClauseLine {
  id: string;
  line: number;
}

const clauseId = /^\s*(?:-\s*)?id:\s*["']?(?<id>[a-z][\w-]*\.[\w.-]+)["']?\s*(?:#.*)?$/;

/** Where the clauses of a policy begin: their ids have a dot, those of categories have none. */
export function findClauseLines(yaml: string): ClauseLine[] {
  return yaml.split('\n').flatMap((text, index) => {
    const id = clauseId.exec(text)?.groups?.['id'];
    return id === undefined ? [] : [{ id, line: index + 1 }];
  });
}

/** The clause that a line belongs to: the last that begins before it. */
export function findClauseAt(clauses: readonly ClauseLine[], line: number): string | null {
  return clauses.findLast((clause) => clause.line <= line)?.id ?? null;
}
