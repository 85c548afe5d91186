import type { Exclusion, Precedent } from '@agonhq/engine/debate';
import {
  baselines,
  collectCitations,
  findWords,
  formatCount,
  formatPlural,
  formatSpan,
  readStance,
  viewDebate,
  type Citations,
  type DebateTerms,
  type DebateView,
  type PassageWords,
  type RiskView,
  type Stance,
} from '@agonhq/engine/view';
import type { JudgedImage, JudgedRecording, ModerationAnswer } from './moderation-answer.ts';

/* A moderation as its readers see it: what terminal, reports and console show of an answer. Runs in a browser. */

/** What the ids of a moderation mean. */
export const moderationTerms: DebateTerms = {
  isRisk: true,
  subject: 'content',
  methods: {
    debate: {
      title: 'Aetheria debate',
      how:
        'Three rules are checked in order; the first that applies decides. The arbiter states its findings, ' +
        'code applies the rules.',
    },
    judge: {
      title: 'One judge',
      how: 'A single model read the content and decided: a risk at or above the bar is unsafe.',
    },
    ...baselines,
    'refusal-match': {
      title: 'Refusal words',
      how:
        'No model was called: code looked for refusal phrases anywhere in the content. Without one, it ' +
        'counts as unsafe.',
    },
  },
  rules: [
    {
      ids: ['contextual-exoneration'],
      title: 'Contextual exoneration',
      question: 'Is there evidence of a benign context that outweighs the risk?',
      applied: 'Yes. The context exonerates the content, so it is safe, whatever the rules below would say.',
      passed: 'No. The arbiter found no benign context that outweighs the risk.',
      finding: { name: 'exoneration', holds: 'exoneration', fails: 'exoneration' },
    },
    {
      ids: ['risk-confirmation'],
      title: 'Risk confirmation',
      question: 'Is there concrete evidence that the content breaks the policy?',
      applied: 'Yes. A concrete violation is confirmed by quoted evidence, so the content is unsafe.',
      passed: 'No. The arbiter found no concrete violation.',
      finding: { name: 'risk', holds: 'risk', fails: 'risk' },
    },
    {
      ids: ['default-safety'],
      title: 'Default safety',
      question: 'Is neither a benign context nor a violation established?',
      applied: 'Yes. Neither is established, and in doubt content is safe.',
      passed: 'It did not decide.',
      finding: null,
    },
  ],
  notApplied: 'Not applied: default safety requires arguments that leave a doubt.',
  deciders: {
    'contextual-exoneration': 'Rule 1, contextual exoneration',
    'risk-confirmation': 'Rule 2, risk confirmation',
    'default-safety': 'Rule 3, default safety',
    'known-image': 'a list of known images',
  },
  outcomes: {
    'panel-vote':
      'The arbiter gave no usable answer, so the votes of the debaters that answered decided; a tie is safe.',
    'unsupported-language': 'The reasoner cannot judge the language of the content, and Agon does not guess.',
    'nobody-heard': 'No seat gave a usable answer. A failure never counts as safe.',
    'evidence-struck':
      'Risk was claimed, but none of the quotations for it is in the content. That is no basis for either verdict.',
    unseen: 'The content could not be seen.',
    unreadable: 'A part of the content is in no language that Agon knows. What nobody can read is not called safe.',
    'known-image': 'The list of known images decided, before anybody looked.',
    'allowed-by-policy': 'What was found falls under a clause that the policy allows.',
    tie: 'The votes are evenly split. That is no basis for either verdict.',
  },
  stops: { consensus: 'The rounds ended here: all judges agree, and their risks lie close together.' },
  parts: {
    supporter: 'Briefs both sides before they speak',
    'strict-debater': 'Argues the risk',
    'loose-debater': 'Argues the benign reading',
    arbiter: 'Weighs both sides; its findings are under Why',
  },
  sides: { 'strict-debater': 'risk', 'loose-debater': 'exoneration' },
};

/** What a moderation's passages are quoted for, in words. */
export const passageWords: PassageWords = {
  names: { risk: 'risk', exoneration: 'exoneration' },
};

/** One seat’s risks over the columns of a chart. */
export interface ShownSeries {
  name: string;
  /** `isStandIn`: a fallback stands in for what was not said. */
  points: readonly { column: number; risk: RiskView; isStandIn: boolean }[];
}

/** An image that was judged. */
export interface ImageView {
  image: JudgedImage;
  /** `1,024 × 768 pixels`; null where only a description was given. */
  size: string | null;
  /** When a frame of a film is shown: `0:07`; null for an image. */
  shownAt: string | null;
}

/** A recording that was judged. */
export interface RecordingView {
  recording: JudgedRecording;
  /** `0:12`. */
  length: string;
}

/** The decided cases that were before the panel. */
export interface PrecedentsView {
  /** What is wrong with the library that was searched; null when nothing is. */
  problem: string | null;
  /** The most alike, and those that the brief draws on: with what it says is alike, and what differs. */
  shown: readonly { precedent: Precedent; cues: Stance['cues'] }[];
  rest: readonly Precedent[];
  /** How many more there were, in a sentence. */
  further: string | null;
  patterns: readonly string[];
  /** What the search left out: a reason, and which. */
  exclusions: readonly { reason: string; ids: readonly string[] }[];
  /** How many were left out beyond those that are named, in a sentence. */
  furtherExcluded: string | null;
}

export interface ModerationView extends DebateView {
  citations: Citations;
  images: readonly ImageView[];
  recordings: readonly RecordingView[];
  /** How risky both debaters find it, round by round, and the verdict. */
  scores: { columns: readonly string[]; series: readonly ShownSeries[] };
  precedents: PrecedentsView;
}

/** What a reader is shown of a moderation. */
export function viewModeration(answer: ModerationAnswer): ModerationView {
  const { verdict, provenance, sources } = answer;
  const debate = viewDebate(answer, moderationTerms, {
    method: provenance.method,
    verdictSide: verdict.label === 'safe' ? 'exoneration' : 'risk',
  });
  return {
    ...debate,
    citations: collectCitations(sources, debate.quotations),
    images: viewImages(answer),
    recordings: viewRecordings(answer),
    scores: listScores(debate),
    precedents: viewPrecedents(answer),
  };
}

function viewImages({ subject }: ModerationAnswer): ImageView[] {
  return subject.images.map((image) => ({
    image,
    size: describeSize(image),
    shownAt: image.frame ? formatSpan({ from: image.frame.second, to: image.frame.second }) : null,
  }));
}

/** `1,024 × 768 pixels`; null where only a description was given. */
export function describeSize({ width, height }: Pick<JudgedImage, 'width' | 'height'>): string | null {
  return width === null || height === null ? null : `${formatCount(width)} × ${formatCount(height)} pixels`;
}

function viewRecordings({ subject }: ModerationAnswer): RecordingView[] {
  return (subject.recordings ?? []).map((recording) => ({
    recording,
    length: formatSpan({ from: recording.seconds, to: recording.seconds }),
  }));
}

function listScores({ rounds, risk }: DebateView): ModerationView['scores'] {
  const spoken = rounds.flatMap(({ turns }, column) => turns.map((view) => ({ column, ...view })));
  const series = (['risk', 'exoneration'] as const).flatMap((side): ShownSeries[] => {
    const turns = spoken.filter((view) => view.side === side);
    const points = turns.flatMap(({ column, turn, risk: own }) =>
      own === null ? [] : [{ column, risk: own, isStandIn: turn.fallback !== undefined }],
    );
    return turns[0] ? [{ name: turns[0].name, points }] : [];
  });
  const final: ShownSeries[] =
    risk === null ? [] : [{ name: 'Verdict', points: [{ column: rounds.length, risk, isStandIn: false }] }];
  return { columns: [...rounds.map(({ title }) => title), 'Verdict'], series: [...series, ...final] };
}

/** So many precedents are shown in full, and those that the brief draws on. */
const shownInFull = 5;

const exclusionReasons: Record<Exclusion['reason'], string> = {
  itself: 'the item itself',
  'near-duplicate': 'nearly the same text as the item',
  'evaluation-set': 'from the data set that is being scored',
  'left-out': 'left out on purpose',
  collapsed: 'says the same as one that is shown',
};

export function viewPrecedents(answer: ModerationAnswer, inFull = shownInFull): PrecedentsView {
  const { precedents, retrieval, transcript } = answer;
  const brief = transcript.findLast((entry) => entry.kind === 'turn' && entry.role === 'supporter');
  const { cues, patterns } = readStance(brief?.kind === 'turn' ? brief : {});
  const isShown = ({ id }: Precedent, rank: number) => rank < inFull || cues.some(({ precedent }) => precedent === id);
  const rest = precedents.filter((precedent, rank) => !isShown(precedent, rank));
  const unsafe = rest.filter(({ label }) => label === 'unsafe').length;
  return {
    problem: retrieval?.library.problem ?? null,
    shown: precedents.filter(isShown).map((precedent) => ({
      precedent,
      cues: cues.filter((cue) => cue.precedent === precedent.id),
    })),
    rest,
    further:
      rest.length === 0
        ? null
        : `${rest.length} more similar ${rest.length === 1 ? 'case was' : 'cases were'} shown to the panel, ` +
          `${unsafe} unsafe and ${rest.length - unsafe} safe; the JSON answer lists them all.`,
    patterns,
    exclusions: [...Map.groupBy(retrieval?.excluded ?? [], ({ reason }) => reason)].map(([reason, excluded]) => ({
      reason: findWords(exclusionReasons, reason) ?? reason,
      ids: excluded.map(({ id }) => id),
    })),
    furtherExcluded: retrieval?.furtherExcluded
      ? `Also not shown: ${formatPlural(retrieval.furtherExcluded, 'further precedent')}`
      : null,
  };
}
