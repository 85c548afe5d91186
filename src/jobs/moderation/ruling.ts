import { isStatement, findTurns, type Transcript, type Verdict } from '../../debate/index.ts';
import { verifyQuotes, type Evidence, type Source } from '../../evidence/index.ts';

/** What a rule decides, before it is a verdict. */
export type Ruling = Pick<Verdict, 'label' | 'score' | 'rule'> & {
  confidence?: number;
  escalate?: boolean;
  /** What the judges named as broken; absent where nobody could name any. */
  clauses?: readonly string[];
  evidence?: readonly Evidence[];
};

/** The quotes that stand in a source. */
export function verified(quotes: readonly string[], sources: readonly Source[]): Evidence[] {
  return verifyQuotes(quotes, sources).filter((evidence) => evidence.verified);
}

/** What can speak against the content: not what the person concerned says for themselves. */
export function incriminating(sources: readonly Source[]): Source[] {
  return sources.filter((source) => !isStatement(source));
}

/** Nobody is acquitted by a crash: where nothing was heard, nothing is decided. */
export function nobodyHeard(transcript: Transcript, why: string): Ruling {
  const foreign = findTurns(transcript).find((turn) => turn.fallback?.reason === 'unsupported-language')?.fallback;
  if (foreign)
    return {
      label: 'undecided',
      score: null,
      rule: {
        id: 'unsupported-language',
        why: `The content is in a language that could not be judged: ${foreign.detail}.`,
      },
    };
  return { label: 'undecided', score: null, rule: { id: 'nobody-heard', why } };
}
