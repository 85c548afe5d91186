import { noUsage, type CaseFile, type Reasoner, type Role } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { canonicalJson } from '@agonhq/engine/hash';
import type { Policy } from '@agonhq/engine/policy';
import { defaultSensitivity, partOfHash, type Sensitivity } from '@agonhq/engine/policy/sensitivity';
import type { ClauseCase } from './clauses.ts';
import { documentWeights } from './documents/weighing/signal.ts';
import { loadEmbeddings } from './kept-embeddings.ts';
import { embeddedDigest, embeddedModel } from './embedded-model.ts';
import { guardFiles, openGuard } from './guard.ts';
import { shippedLanguages, shippedTerms } from './text-models/terms.ts';
import { moderationParts } from './moderation/parts.ts';
import type { EmbeddedPart } from './part.ts';
import { readPolicy } from './policy/policy-reader.ts';
import { calibrationAt, exchangeWeights, firstPassWeights, moveBar, shippedWeights } from './weights.ts';

/**
 * A reasoner with no key and no network: the guard model (for documents code), and
 * roles that argue from what they find. It is not an LLM and says so.
 */
export function createEmbeddedReasoner(
  policy: Policy,
  cases: readonly ClauseCase[] = [],
  sensitivity: Sensitivity = defaultSensitivity,
  { firstPass = true }: { firstPass?: boolean } = {},
): Reasoner {
  const weights = {
    moderation: moveBar(shippedWeights, sensitivity),
    evaluation: moveBar(exchangeWeights, sensitivity),
  };
  const reader = readPolicy(policy, { openGuard, openEmbeddings: loadEmbeddings, cases, weights: weights.moderation });
  const firstPassBelow = firstPass ? firstPassWeights.below[sensitivity] : null;
  const parts = moderationParts(reader, weights.moderation, firstPassBelow);

  /** Clauses of the user's own that no verdict of this reasoner can be relied on for; said by the role that decides. */
  async function listUnjudged({ decides }: Pick<EmbeddedPart, 'decides'>): Promise<string[]> {
    if (!decides) return [];
    return (await reader.listFits()).filter(({ judged }) => !judged).map(({ clause }) => clause.id);
  }

  /** The code that argues about exchanges and documents is large: it is loaded when somebody asks for it. */
  async function findPart<Answer, Case extends CaseFile>(
    role: Role<Answer, Case>,
  ): Promise<EmbeddedPart<Answer, Case> | undefined> {
    const own = parts.find((one) => isPartOf(one, role));
    if (own) return own;
    const { evaluationParts } = await import('./evaluation/parts.ts');
    const ofExchange = evaluationParts(reader, weights.evaluation).find((one) => isPartOf(one, role));
    if (ofExchange) return ofExchange;
    const { documentParts } = await import('./documents/index.ts');
    const listed: EmbeddedPart[] = documentParts();
    return listed.find((one) => isPartOf(one, role));
  }

  return {
    id: embeddedModel,
    fingerprint: canonicalJson({
      model: embeddedModel,
      files: guardFiles,
      terms: shippedTerms,
      languages: shippedLanguages,
      weights: weights.moderation,
      exchangeWeights: weights.evaluation,
      documentWeights,
      firstPass: firstPass ? firstPassWeights : null,
      ...partOfHash(sensitivity),
    }),
    vision: false,
    sensitivity,
    digest: embeddedDigest,
    // The arbiter's score is shifted so that the bar stands at one half; this turns it back.
    calibrations: { moderation: calibrationAt(weights.moderation), evaluation: calibrationAt(weights.evaluation) },
    async answer(role, question, { signal }) {
      const started = performance.now();
      const part = await findPart(role);
      if (!part)
        throw new AgonError('no-embedded-role', `${embeddedModel} has no part for the role ${role.id}.`, {
          library: 'Seat an LLM there: seats in the settings.',
          cli: 'Seat an LLM there: --seat, --model or seats in agon.config.yaml.',
        });
      const outcome = { usage: { ...noUsage, calls: 1 }, model: embeddedModel, raw: '' };
      const unjudged = await part.findLanguage(question.caseFile);
      if (unjudged) {
        return {
          ...outcome,
          outcome: 'failed',
          reason: 'unsupported-language',
          detail: `${embeddedModel} judges ${unjudged.judged}, and this is ${unjudged.language}`,
          latencyMs: performance.now() - started,
        };
      }
      const value = await part.argue(question, signal);
      signal.throwIfAborted();
      const clauses = await listUnjudged(part);
      const latencyMs = performance.now() - started;
      return {
        ...outcome,
        outcome: 'answered',
        value,
        latencyMs,
        ...(clauses.length > 0 ? { unjudged: clauses } : {}),
      };
    },
  };
}

/** A role is told by its id and its schema: two jobs may call a role the same. */
function isPartOf<Answer, Case extends CaseFile>(
  part: EmbeddedPart,
  role: Role<Answer, Case>,
): part is EmbeddedPart<Answer, Case> {
  return part.role.id === role.id && part.role.schema === role.schema;
}
