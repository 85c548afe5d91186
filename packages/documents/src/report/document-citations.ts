import type { Analysis, ClaimAnswer } from '../analysis.ts';
import type { ReportDocument } from '../document.ts';
import { ground, type Grounding } from '../grounding/ground-citation.ts';
import type { NumberFinding, NumberPlace } from '../numbers/index.ts';
import type { Evidence } from '@agonhq/engine/evidence';
import { collectCitations, type CitedPassage, type Quoter, type Side } from '@agonhq/engine/view';
import type { ClaimExchange } from './exchange.ts';
import type { NumberedFinding } from './finding-list.ts';
import { describePlace, describeClaimLabel, nameStep } from '../view.ts';

/** A place that is cited, as the page shows it. */
export interface Cited {
  /** Of its mark; undefined where there is none. */
  number: number | undefined;
  grounding: Grounding;
  where: string;
}

/** Every cited passage of a dossier, numbered in reading order, and the way from a citation to its mark. */
export interface DocumentCitations {
  passages: readonly CitedPassage[];
  passagesIn: (document: ReportDocument) => readonly CitedPassage[];
  /** Null when a quotation was struck, or a place is not in the dossier. */
  citedBy: (cited: Evidence | NumberPlace, numbers?: readonly NumberFinding[]) => Cited | null;
}

/** Findings that hold and touch no claim are listed, but not marked: they would bury what matters. */
export function isMarked({ finding, claims }: NumberedFinding): boolean {
  return finding.outcome === 'conflict' || claims.length > 0;
}

export function documentCitations(
  analysis: Analysis,
  exchanges: readonly ClaimExchange[],
  findings: readonly NumberedFinding[],
): DocumentCitations {
  const names = new Map(analysis.documents.map((document, index) => [document, String(index)]));
  const anchored = (
    cited: Evidence | NumberPlace,
    numbers?: readonly NumberFinding[],
  ): { grounding: Grounding; evidence: Evidence } | null => {
    const grounding = ground(cited, analysis, numbers);
    return grounding && { grounding, evidence: evidenceAt(grounding, names.get(grounding.document)!) };
  };
  const citations = collectCitations(
    analysis.documents.map((document, index) => ({ id: String(index), text: document.text })),
    quotations(exchanges, findings).flatMap(({ cited, quoter, numbers }) => {
      const found = anchored(cited, numbers);
      return found ? [{ evidence: found.evidence, quoter }] : [];
    }),
  );
  return {
    passages: citations.passages,
    passagesIn: (document) => citations.passages.filter(({ source }) => source === names.get(document)),
    citedBy: (cited, numbers) => {
      const found = anchored(cited, numbers);
      return (
        found && {
          grounding: found.grounding,
          number: citations.numberOf(found.evidence),
          where: describePlace(found.grounding, analysis.documents.length === 1),
        }
      );
    },
  };
}

/* A citation of a table is drawn in to its cells, so that it begins and ends where a mark can. */
function evidenceAt({ start, end, cells, block, quote }: Grounding, source: string): Evidence {
  const written = cells.filter((cell) => cell.end > cell.start);
  if (!block.table) return { quote, source, start, end, verified: true };
  const first = written[0]?.start ?? start;
  const last = written.at(-1)?.end ?? start;
  return { quote, source, start: Math.max(start, first), end: Math.min(end, last), verified: true };
}

interface Quoted {
  cited: Evidence | NumberPlace;
  quoter: Quoter;
  numbers?: readonly NumberFinding[];
}

function quotations(exchanges: readonly ClaimExchange[], findings: readonly NumberedFinding[]): Quoted[] {
  return [
    ...exchanges.flatMap(ofExchange),
    ...findings.filter(isMarked).flatMap(({ finding, anchor, number }) => {
      const side: Side = finding.outcome === 'conflict' ? 'risk' : 'neutral';
      return finding.places.map((cited) => ({ cited, quoter: { anchor, speaker: `Number check ${number}`, side } }));
    }),
  ];
}

function ofExchange({ anchor, answer, steps }: ClaimExchange, index: number): Quoted[] {
  const { numbers } = answer;
  const claim = `Claim ${index + 1}`;
  const by = (evidence: readonly Evidence[], at: string, words: string, side: Side): Quoted[] =>
    evidence.map((cited) => ({ cited, numbers, quoter: { anchor: at, speaker: `${claim}, ${words}`, side } }));
  return [
    ...(answer.subject.origin
      ? [
          {
            cited: answer.subject.origin,
            quoter: { anchor, speaker: `${claim}, its origin`, side: 'implicit' as const },
          },
        ]
      : []),
    ...steps.flatMap((step) => [
      ...step.premises.flatMap(({ evidence, anchor: at, number }) =>
        by(evidence, at, `premise ${number}`, 'exoneration'),
      ),
      ...step.attacks.flatMap((attack) => [
        ...by(attack.evidence, attack.anchor, `attack ${attack.number}`, 'risk'),
        ...attack.searches.flatMap(({ found }) =>
          found.map(({ place }): Quoted => ({
            cited: place,
            quoter: {
              anchor: attack.anchor,
              speaker: `${claim}, the search for attack ${attack.number}`,
              side: 'neutral',
            },
          })),
        ),
      ]),
      ...step.replies.flatMap((reply) =>
        by(reply.evidence, reply.anchor, `reply to attack ${reply.attack}`, 'exoneration'),
      ),
      ...step.rulings.flatMap(({ evidence, anchor: at, name, finding }) =>
        by(evidence, at, `${name} as found`, rulingSide(name, finding.holds)),
      ),
      ...by(step.evidence, step.anchor, nameStep(step.turn.key).toLowerCase(), 'neutral'),
    ]),
    ...by(answer.verdict.evidence, anchor, 'verdict', verdictSide(answer)),
  ];
}

function rulingSide(name: 'support' | 'contradiction', holds: boolean): Side {
  if (!holds) return 'neutral';
  return name === 'support' ? 'exoneration' : 'risk';
}

function verdictSide({ verdict }: ClaimAnswer): Side {
  const { tone } = describeClaimLabel(verdict.label);
  if (tone === 'good') return 'exoneration';
  return tone === 'bad' ? 'risk' : 'neutral';
}
