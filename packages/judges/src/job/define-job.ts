import { z } from 'zod';
import {
  answerVersion,
  checkQuotes,
  checkSeal,
  checkThat,
  compute,
  conduct,
  createFence,
  createStatement,
  defineStep,
  findTurns,
  findValue,
  inOrder,
  listDegradations,
  listDigests,
  readAnswer,
  sealAnswer,
  sumUsage,
  type Answer,
  type CaseFile,
  type DebateEvent,
  type Protocol,
  type Provenance,
  type Reasoner,
  type Seat,
  type Transcript,
  type Verdict,
} from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Source } from '@agonhq/engine/evidence';
import { canonicalJson, hashOf } from '@agonhq/engine/hash';
import { unwrapType } from '@agonhq/engine/setting';
import { renderGenericMarkdown, renderGenericNotice } from '@agonhq/engine/reports';
import type { DefinedRole } from './define-role.ts';
import type { JobKit, SubjectKit } from './job-kit.ts';
import type { Job } from './job.ts';
import { parseItem, parseStored } from './stored-items.ts';

/** What was judged, by its hash; its texts are the answer's sources. */
interface DefinedSubject {
  id: string | null;
  hash: string;
}

type DefinedAnswer = Answer<DefinedSubject>;
type DefinedEvent = DebateEvent | { type: 'case-ready'; debate: string; scope: null; caseFile: CaseFile };

/** A verdict as a job decides it; the engine adds what went wrong on the way. */
export type JobDecision<Label extends string = string> = Pick<Verdict<Label>, 'label' | 'rule'> &
  Partial<Pick<Verdict<Label>, 'confidence' | 'escalate' | 'evidence'>> & { score: number | null };

/** A job of your own: what is judged, who speaks when, and how code decides. */
export interface JobDefinition<Input extends object, Roles extends Record<string, DefinedRole>> {
  /** Its name on record, in settings and on the wire: lower case. */
  id: string;
  /** Raise it when the words of a role or the rules change: answers of two versions do not belong together. */
  version: string;
  title: string;
  /** What it answers, in a sentence: `Should this pull request be merged?` */
  description?: string;
  /** What is judged, as a word in a sentence: `pull request`. */
  subject: string;
  labels: readonly string[];
  /** What one item holds; a file of items has a line or a row for each. */
  input: z.ZodType<Input> & { shape: Readonly<Record<string, z.ZodType>> };
  /** The texts that may be quoted. */
  sources: (input: Input) => readonly Source[];
  /** Its roles, by seat. `debaters` and `default` in the settings stand in for a seat that is not named. */
  roles: Roles;
  /** Who speaks when. */
  protocol: (seats: { readonly [Name in keyof Roles]: Seat }) => Protocol;
  /** The verdict, from what was said and the sources alone: `agon verify` decides again. */
  decide: (transcript: Transcript, sources: readonly Source[]) => JobDecision;
}

/**
 * Makes a job of a definition: it is judged, recorded, resumed, verified, reported, run over files and shown like
 * Agon's own.
 *
 * @example export default defineJob({ id: 'merge', version: '1', input: z.object({ diff: z.string() }), … })
 */
export function defineJob<Input extends object, Roles extends Record<string, DefinedRole>>(
  definition: JobDefinition<Input, Roles>,
): Job<Input, DefinedAnswer, DefinedEvent> {
  const { id, version, title, subject, labels, input, roles } = definition;
  const seats = Object.keys(roles);
  const adjudication = defineStep<Verdict<string>>('adjudication');
  const rulebook = { name: id, version, hash: hashOf({ id, version }) };
  const prompts = hashOf({ version, roles: Object.entries(roles).map(([seat, role]) => [seat, role.instructions]) });
  const fields = Object.keys(input.shape);
  const required = fields.filter((field) => !input.shape[field]!.safeParse(undefined).success);
  const hint = `An item has ${fields.map((field) => JSON.stringify(field)).join(', ')}.`;
  const identified = z.looseObject({ id: z.union([z.string(), z.number().transform(String)]).nullish() });

  function adjudicate(transcript: Transcript, sources: readonly Source[]): Verdict<string> {
    const degraded = listDegradations(transcript);
    const heard = findTurns(transcript).some(({ fallback }) => !fallback);
    const decided: JobDecision = heard
      ? callPart('decide', () => definition.decide(transcript, sources))
      : { label: 'undecided', score: null, rule: { id: 'nobody-heard', why: 'No seat gave an answer that counts.' } };
    const { label, score, rule, confidence = null, evidence = [] } = decided;
    if (label !== 'undecided' && !labels.includes(label))
      throw failedJob(id, `decide gives the label ${JSON.stringify(label)}, and labels has no such label`);
    const escalate = decided.escalate ?? label === 'undecided';
    const noRisk = { risk: null, bar: null };
    return { label, ...noRisk, score, confidence, escalate, rule, categories: [], evidence, degraded };
  }

  /** A mistake of the job's author is told as one, and not as a fault of Agon. */
  function callPart<Value>(part: string, call: () => Value): Value {
    try {
      return call();
    } catch (error) {
      if (AgonError.is(error)) throw error;
      throw failedJob(id, `${part} threw ${String(error).split('\n')[0]}`, error);
    }
  }

  function describe(kit: JobKit, reasoners: ReadonlyMap<string, Reasoner>): Provenance {
    const fingerprints = Object.fromEntries([...reasoners].map(([seat, { fingerprint }]) => [seat, fingerprint]));
    return {
      agon: kit.version,
      protocol: `${title} ${version}: ${seats.join(', ')}`,
      policy: rulebook,
      prompts,
      models: Object.fromEntries([...reasoners].map(([seat, reasoner]) => [seat, reasoner.id])),
      ...listDigests(reasoners.values()),
      precedents: null,
      configuration: hashOf({ job: id, version, prompts, fingerprints }),
    };
  }

  /** Who fills the seats of one subject: a role that can answer by code does, where Agon's own model would sit. */
  function seat(kit: JobKit, { reasonerFor }: SubjectKit): Map<string, Reasoner> {
    return new Map(
      seats.map((name) => {
        const { program } = roles[name]!;
        const byCode = program && !kit.seats.given(name) && kit.seats.isEmbedded(kit.seats.modelOf(name));
        return [name, byCode ? program : reasonerFor(name)];
      }),
    );
  }

  return {
    id,
    title,
    description: definition.description ?? `Judges a ${subject}: ${labels.join(', ')}.`,
    subject,
    labels,
    casePrefix: id,
    methods: ['debate'],
    seats: Object.fromEntries(seats.map((name) => [name, { fallsBackTo: ['debaters', 'default'] }])),
    settings: z.strictObject({}),
    usesPolicy: false,

    items: {
      fields: ['id', 'label', ...fields],
      parts: [required],
      lists: fields.filter((field) => unwrapType(input.shape[field]!) instanceof z.ZodArray),
      example: JSON.stringify(Object.fromEntries(['id', ...required].map((field) => [field, '…']))),
      readLabel: (label) => (labels.includes(label) ? label : undefined),
      async readItem(value) {
        const { id: own } = parseItem(identified, value, hint);
        const read = parseItem(input, value, hint);
        return { ...(own ? { id: own } : {}), input: { ...(own ? { id: own } : {}), item: read }, hash: hashOf(read) };
      },
      async openItem(stored) {
        const { item } = parseStored(storedSchema, stored);
        return { input: parseStored(input, item), options: {} };
      },
    },

    request: { schema: input, read: async (given: Input) => ({ input: given }) },

    needs: () => ({ precedentSeat: null, clauseExamples: false, secondModel: false }),

    open(kit) {
      kit.seats.require(
        seats.filter((name) => !roles[name]!.program || !kit.seats.isEmbedded(kit.seats.modelOf(name))),
      );
      return {
        provenance: () => describe(kit, seat(kit, kit.forSubject())),

        async *judge(given, { signal, stream, statement, ...options } = {}) {
          const started = performance.now();
          const own = kit.forSubject();
          const reasoners = seat(kit, own);
          const provenance = describe(kit, reasoners);
          const read = parseItem(input, given, hint);
          const sources = [
            ...callPart('sources', () => definition.sources(read)),
            ...(statement === undefined ? [] : [createStatement(statement)]),
          ];
          const caseFile: CaseFile = { sources };
          const subjectHash = hashOf(read);
          const about = [subjectHash, provenance.configuration, ...(statement === undefined ? [] : [statement])];
          const debate = options.debate ?? `${id}-${hashOf(about).slice(7, 23)}`;
          const { configuration } = provenance;
          const record = { hash: subjectHash, content: read };
          await own.recorder?.openCase({ id: debate, configuration, subject: record });
          yield { type: 'case-ready', debate, scope: null, caseFile };
          const protocol = inOrder(
            callPart('protocol', () => definition.protocol(seatRoles(roles, reasoners))),
            compute(adjudication, ({ transcript }) => adjudicate(transcript, sources), { job: id, version }),
          );
          const { journal } = own;
          const transcript = yield* conduct(protocol, caseFile, {
            debate,
            fence: createFence(caseFile, kit.secret),
            journal,
            signal,
            stream,
          });
          const answer: DefinedAnswer = sealAnswer({
            version: answerVersion,
            id: debate,
            job: id,
            subject: { id: null, hash: subjectHash },
            sources,
            verdict: findValue(transcript, adjudication)!,
            transcript,
            precedents: [],
            usage: sumUsage(transcript, Math.round(performance.now() - started)),
            provenance,
          });
          return (await own.recorder?.closeCase(answer)) ?? answer;
        },
      };
    },

    readAnswer: (json, name) => readAnswer(json, name) as DefinedAnswer,

    verify(answer) {
      const unreadable = findTurns(answer.transcript).find(
        ({ seat: name, answer: said }) => !roles[name]?.schema.safeParse(said).success,
      );
      if (unreadable)
        return [
          checkSeal(answer),
          checkQuotes(answer),
          checkThat('rules', false, `the answer of ${unreadable.key} is not readable`),
        ];
      const again = adjudicate(answer.transcript, answer.sources);
      const same = canonicalJson(again) === canonicalJson(answer.verdict);
      return [
        checkSeal(answer),
        checkQuotes(answer),
        checkThat('rules', same, same ? `${again.label} by ${again.rule.id}` : 'the rules give another verdict'),
      ];
    },

    report: {
      markdown: renderGenericMarkdown,
      notice: renderGenericNotice,
    },
    summarize: ({ verdict: { label, risk, bar, escalate, rule } }) => ({
      label,
      risk,
      bar,
      escalate,
      rule,
      categories: [],
    }),
    debates: (answer) => [answer],
    debateSeats: () => seats,
    restore: async (content) => ({ input: parseStored(input, content), options: {} }),
  };
}

function failedJob(id: string, what: string, cause?: unknown): AgonError {
  return new AgonError('failed-job', `The job ${id} failed: ${what}.`, 'Correct the module of the job.', { cause });
}

const storedSchema = z.strictObject({ id: z.string().optional(), item: z.unknown() });

function seatRoles<Roles extends Record<string, DefinedRole>>(
  roles: Roles,
  reasoners: ReadonlyMap<string, Reasoner>,
): { readonly [Name in keyof Roles]: Seat } {
  const seated = Object.entries(roles).map(([id, role]) => [id, { id, role, reasoner: reasoners.get(id)! }]);
  return Object.fromEntries(seated) as { [Name in keyof Roles]: Seat };
}
