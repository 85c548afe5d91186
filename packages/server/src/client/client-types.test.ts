import { describe, expectTypeOf, test } from 'vitest';
import { createClient, type FileInput } from './index.ts';

const client = createClient();

/* Read by the type checker: a wrong type anywhere in here fails `npm run typecheck`. */
describe('the types of the client', () => {
  test('are those of the contract', () => {
    type Answer = Awaited<ReturnType<typeof client.moderations.create>>;
    expectTypeOf<Answer['verdict']['label']>().toEqualTypeOf<'safe' | 'unsafe' | 'undecided'>();
    expectTypeOf(client.moderations.create).parameter(0).toHaveProperty('text');
    expectTypeOf<Awaited<ReturnType<typeof client.cases.list>>['next']>().toEqualTypeOf<string | null>();
    expectTypeOf(client.cases.report).returns.resolves.toEqualTypeOf<Response>();
    expectTypeOf(client.webhooks.remove).returns.resolves.toEqualTypeOf<void>();
    expectTypeOf(client.runs.diff).parameters.toExtend<[string, string, ...unknown[]]>();
    expectTypeOf<Parameters<typeof client.analyses.create>[0]['files']>().toEqualTypeOf<readonly FileInput[]>();
    expectTypeOf<NonNullable<Parameters<typeof client.analyses.create>[0]['maxFactors']>>().toEqualTypeOf<number>();
    expectTypeOf<NonNullable<NonNullable<Parameters<typeof client.cases.list>[0]>['limit']>>().toEqualTypeOf<number>();
    expectTypeOf<
      NonNullable<NonNullable<Parameters<typeof client.cases.list>[0]>['escalated']>
    >().toEqualTypeOf<boolean>();
  });

  test('tell events apart by their type', () => {
    type Event = ReturnType<typeof client.moderations.stream> extends AsyncIterable<infer Each> ? Each : never;
    expectTypeOf<Extract<Event, { type: 'turn-end' }>['turn']['statement']>().toEqualTypeOf<string>();
    expectTypeOf<Extract<Event, { type: 'answer' }>['answer']['verdict']['escalate']>().toEqualTypeOf<boolean>();
  });

  test('refuse what the server would refuse', () => {
    // @ts-expect-error A verdict is said in words of the contract.
    void (() => client.cases.feedback('mod-1', { label: 'fine' }));
    // @ts-expect-error Feedback is about a case.
    void (() => client.cases.feedback({ label: 'safe' }));
    // @ts-expect-error A run has a job.
    void (() => client.runs.create({ files: [] }));
    // @ts-expect-error A count is a number.
    void (() => client.cases.list({ limit: 'many' }));
    // @ts-expect-error There is no such operation.
    void (() => client.moderations.destroy('mod-1'));
    // @ts-expect-error Nothing is called that.
    void (() => client.moderations.create({ txet: 'Hello' }));
  });
});
