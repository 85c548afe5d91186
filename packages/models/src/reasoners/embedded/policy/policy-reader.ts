import { defaultPolicy, findClause, isAllowed, type Policy, type Clause } from '@agonhq/engine/policy';
import { splitSentences } from '@agonhq/engine/text';
import { clauseFinder, type ClauseCase, type FindClauses, type NearClause } from '../clauses.ts';
import type { GuardModel } from '../guard.ts';
import type { KeptEmbeddings } from '../kept-embeddings.ts';
import { judgeAlone } from '../text-models/terms.ts';
import type { Weights, ClauseWeights } from '../weights.ts';
import { fitClauses, type ClauseFit } from './fit-clauses.ts';
import { joinExample, pickClauses, sortClauses, type SortedClauses } from './own-clauses.ts';

/** A clause of the user's own that a text breaks, or comes nearest to breaking. */
export interface OwnMatch {
  clause: NearClause;
  /** How far above the clause's bar the text stands, as a logit. */
  fromBar: number;
  /** The passage that stands there. */
  passage: string;
}

/** What a policy makes of a text. */
export interface PolicyFinding {
  /** What of the harm that the guard sees it forbids. */
  reach: PolicyReach;
  own: OwnMatch | null;
  /** Clauses of the user's own that the text does not break and that no harm falls under. */
  silent: ReadonlySet<string>;
}

/** A text to be judged. Its embeddings are asked for only where the policy is not the default one. */
export interface ReadText {
  text: string;
  embed: () => Promise<Float32Array>;
  /** The embedding that tells which clauses its harm is near to, where it is another. */
  embedLandmark?: () => Promise<Float32Array>;
}

/** A policy as the embedded reasoner reads it. */
export interface PolicyReader {
  /** The nearest of the clauses in force. */
  clauses: FindClauses;
  /** How well each clause of the user's own can be told. */
  listFits(): Promise<readonly ClauseFit[]>;
  /** Whether it forbids what the default policy does, no more and no less. */
  isDefault(): Promise<boolean>;
  judge(read: ReadText, signal: AbortSignal): Promise<PolicyFinding>;
}

interface ReaderParts {
  openGuard: () => Promise<GuardModel>;
  openEmbeddings: () => Promise<KeptEmbeddings>;
  /** Cases that were decided unsafe under clauses of the default policy. */
  cases: readonly ClauseCase[];
  weights: Weights;
}

interface OpenReader {
  reach: ((embedding: Float32Array) => Promise<PolicyReach>) | null;
  fits: readonly ClauseFit[];
  harmless: ReadonlySet<string>;
}

const wholeReach: PolicyReach = { share: 1, under: null, beyond: null };

/** Reads by the default policy's clauses as the guard was trained, and by others from their text and examples. */
export function readPolicy(policy: Policy, { openGuard, openEmbeddings, cases, weights }: ReaderParts): PolicyReader {
  const inForce = policy.categories.flatMap(({ clauses }) => clauses.filter((clause) => !isAllowed(clause)));
  const clauses = clauseFinder(pickClauses([policy], inForce), openEmbeddings, cases);
  let opened: Promise<OpenReader> | undefined;

  async function open(): Promise<OpenReader> {
    const defaults = await defaultPolicy();
    const sorted = sortClauses(policy, defaults);
    if (sorted.own.length === 0 && sorted.dropped.length === 0) return { reach: null, fits: [], harmless: new Set() };
    const [guard, embeddings] = await Promise.all([openGuard(), openEmbeddings()]);
    const fits = await fitClauses(sorted.own, embeddings, guard, weights.clauses);
    const bar = Math.log(weights.threshold / (1 - weights.threshold));
    const risks = await Promise.all(
      sorted.own.map(({ violations }) =>
        Promise.all(
          violations.map(async (example) => {
            const { logits } = await guard.read(joinExample(example));
            return judgeAlone(guard.terms.text, logits) >= bar;
          }),
        ),
      ),
    );
    const harmful = sorted.own.filter((_, index) => risks[index]!.filter(Boolean).length * 2 >= risks[index]!.length);
    const reach = await measureReach({
      policy,
      defaults,
      sorted,
      harmful,
      cases,
      embeddings,
      weights: weights.clauses,
    });
    const harmless = new Set(sorted.own.filter((clause) => !harmful.includes(clause)).map(({ id }) => id));
    return { reach, fits, harmless };
  }

  const openOnce = () => (opened ??= open());

  return {
    clauses,
    listFits: async () => (await openOnce()).fits,
    isDefault: async () => (await openOnce()).reach === null,
    async judge({ text, embed, embedLandmark = embed }, signal) {
      const { reach, fits, harmless } = await openOnce();
      if (!reach) return { reach: wholeReach, own: null, silent: harmless };
      const own = await findMatch({ text, embedding: await embed() }, fits, policy, await openGuard(), signal);
      const broken = own && own.fromBar >= 0 ? own.clause.id : null;
      return {
        reach: await reach(await embedLandmark()),
        own,
        silent: new Set([...harmless].filter((id) => id !== broken)),
      };
    },
  };
}

/** The clause of the user's own that a text, or a passage of a long one, stands furthest above the bar of. */
async function findMatch(
  { text, embedding }: { text: string; embedding: Float32Array },
  fits: readonly ClauseFit[],
  policy: Policy,
  guard: GuardModel,
  signal: AbortSignal,
): Promise<OwnMatch | null> {
  if (fits.length === 0) return null;
  const passages = findPassages(text);
  const read = await Promise.all(
    passages.map(async (passage) => ({
      passage,
      embedding: passages.length === 1 ? embedding : await guard.embed(passage, { signal }),
    })),
  );
  const matches = await Promise.all(
    read.flatMap(({ passage, embedding: own }) =>
      fits.map(async ({ clause, compare }) => ({
        clause,
        passage,
        ...(await compare({ text: passage, embedding: own }, passages.length, signal)),
      })),
    ),
  );
  const best = matches.reduce((most, match) => (match.fromBar > most.fromBar ? match : most));
  const { id, text: words } = best.clause;
  const title = findClause(policy, id)?.category.title ?? id;
  return {
    clause: { id, text: words, title, similarity: best.similarity, standing: best.similarity },
    fromBar: best.fromBar,
    passage: best.passage,
  };
}

/** A text up to this long is about one thing. */
const longestPassage = 300;

/**
 * The passages of a text in which a clause of the user's own is looked for: whole sentences, together at most 300
 * characters long, so that one that breaks a clause is not lost among many that do not. A short text is one passage.
 */
function findPassages(text: string): string[] {
  if (text.length <= longestPassage) return [text];
  const passages: { start: number; end: number }[] = [];
  for (const { start, end } of splitSentences(text)) {
    const last = passages.at(-1);
    if (last && end - last.start <= longestPassage) last.end = end;
    else passages.push({ start, end });
  }
  const words = passages.map(({ start, end }) => text.slice(start, end).trim()).filter((passage) => passage !== '');
  return words.length > 0 ? words : [text];
}

/** A risk as far as the policy forbids it, and the user's own clause where it is that which is broken. */
export interface PolicyRisk {
  logit: number;
  own: OwnMatch | null;
}

/** Weighs a calibrated logit by what the policy forbids; a clause of the user's own counts by its own bar. */
export function weighUnderPolicy(logit: number, bar: number, { reach: { share }, own }: PolicyFinding): PolicyRisk {
  const chance = share / (1 + Math.exp(-logit));
  const forbidden = share === 1 ? logit : Math.log(Math.max(chance, 1e-6) / (1 - chance));
  if (!own || own.fromBar + bar <= forbidden) return { logit: forbidden, own: null };
  return { logit: own.fromBar + bar, own: own.fromBar >= 0 ? own : null };
}

/** How much of a harm that the guard model sees is forbidden by the policy. */
interface PolicyReach {
  /** From 0, none of it, to 1. */
  share: number;
  /** The clause in force that it falls under; null where it falls under none. */
  under: NearClause | null;
  /** The kind of harm that the policy allows or does not mention; null where it is forbidden. */
  beyond: NearClause | null;
}

interface ReachParts {
  policy: Policy;
  defaults: Policy;
  sorted: SortedClauses;
  /** The user's own clauses whose violations the guard finds harmful: its risk counts for them too. */
  harmful: readonly Clause[];
  cases: readonly ClauseCase[];
  embeddings: KeptEmbeddings;
  weights: ClauseWeights;
}

/**
 * Finds out what of a harm the policy forbids: the kind of harm is told by the nearest clause among those in force and
 * those of the default policy that are allowed or left out. A harm that fits both is forbidden. A clause of the user's
 * own stands for the kinds of harm that its violations are nearest to.
 */
async function measureReach(parts: ReachParts): Promise<(embedding: Float32Array) => Promise<PolicyReach>> {
  const { policy, defaults, sorted, harmful, cases, embeddings, weights } = parts;
  const { leastResemblance, margin, spread } = weights;
  const open = async () => embeddings;
  const inForce = clauseFinder(pickClauses([policy], [...sorted.known, ...harmful]), open, cases);
  const dropped = clauseFinder(pickClauses([policy, defaults], sorted.dropped), open, cases);
  const hasInForce = sorted.known.length + harmful.length > 0;
  const standIns = await findStandIns();

  async function findStandIns(): Promise<ReadonlyMap<string, Clause>> {
    const found = new Map<string, Clause>();
    if (sorted.dropped.length === 0) return found;
    for (const clause of harmful)
      for (const example of clause.violations) {
        const near = await dropped(await embeddings.embed(joinExample(example)));
        const [nearest] = near.toSorted((a, b) => b.similarity - a.similarity);
        if (nearest && nearest.similarity >= leastResemblance && !isAllowedHere(nearest.id))
          found.set(nearest.id, clause);
      }
    return found;
  }

  /** What the user switched off stays off, whatever a clause beside it says. */
  function isAllowedHere(id: string): boolean {
    return policy.categories.some(({ clauses }) => clauses.some((clause) => clause.id === id));
  }

  return async (embedding) => {
    const forbidden = hasInForce ? [...(await inForce(embedding))] : [];
    const others = (sorted.dropped.length > 0 ? await dropped(embedding) : []).flatMap((near) => {
      const standIn = standIns.get(near.id);
      if (!standIn) return [near];
      forbidden.push({ ...near, id: standIn.id, text: standIn.text });
      return [];
    });
    const [under = null] = forbidden.toSorted((a, b) => b.standing - a.standing);
    const [beyond = null] = others;
    const near = Math.max(...forbidden.map(({ similarity }) => similarity));
    if (!under || near < leastResemblance) return { share: 0, under: null, beyond };
    const behind = Math.max(...others.map(({ similarity }) => similarity)) - near - margin;
    const share = behind <= 0 ? 1 : Math.exp(-behind / spread);
    return share >= 0.5 ? { share, under, beyond: null } : { share, under: null, beyond };
  };
}
