import { AgonError } from '@agonhq/engine/agon-error';
import { diffPolicies, parsePolicy, writePolicy, type Policy } from '@agonhq/engine/policy';
import { reviewerName } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { runWork } from '../trials/run-work.ts';
import type { ServerContext } from '../server-context.ts';
import { planImpact, planPolicyTest, keepSentPolicy, findPolicy } from '../policies/policy-work.ts';
import { replyWithLocation, replyWithMedia } from '../reply.ts';

/** The rulebooks on record, and the one in force. */
export const policyHandlers: Handlers<GroupOf<'policies'>> = {
  'policies.list': async (_, context) => ({ rows: await listPolicies(context) }),

  async 'policies.create'({ body }, { ledger }) {
    const policy = parsePolicy(body.yaml.toWellFormed(), 'policy.yaml');
    await keepSentPolicy(ledger, policy);
    return replyWithLocation(policy, `/api/policies/${policy.hash}`);
  },

  async 'policies.get'({ params, query }, context) {
    const policy = await findCurrentPolicy(params.hash, context);
    return query.format === 'yaml'
      ? replyWithMedia(writePolicy(policy), 'application/yaml; charset=utf-8', `${policy.name}-${policy.version}.yaml`)
      : policy;
  },

  async 'policies.diff'({ params }, context) {
    const [from, to] = [await findCurrentPolicy(params.hash, context), await findCurrentPolicy(params.other, context)];
    return { from: showPolicy(from), to: showPolicy(to), changes: diffPolicies(from, to) };
  },

  'policies.test': async (request, context) =>
    runWork(request, context, planPolicyTest(await findCurrentPolicy(request.params.hash, context), context)),

  'policies.impact': async (request, context) =>
    runWork(
      request,
      context,
      await planImpact(await findCurrentPolicy(request.params.hash, context), request.body, context),
    ),

  async 'policies.activate'({ params, principal }, context) {
    const { settings, ledger, agons } = context;
    if (settings.policy)
      throw new AgonError(
        'policy-in-file',
        'The settings name a policy file, which takes precedence.',
        'Change that file, or take `policy` out of the settings, and start the server again.',
      );
    const policy = await findCurrentPolicy(params.hash, context);
    if ((await ledger.policies.findActivePolicy())?.hash !== policy.hash) {
      await keepSentPolicy(ledger, policy);
      await ledger.policies.activatePolicy(policy.hash, reviewerName(principal));
    }
    // Before it is enacted, so that nobody who looks at the ledger goes back to the old one.
    if (agons.activePolicy().hash !== policy.hash) await agons.activatePolicy(policy);
    return (await listPolicies(context)).find(({ hash }) => hash === policy.hash)!;
  },
};

async function findCurrentPolicy(words: string, context: ServerContext): Promise<Policy> {
  await context.agons.refresh();
  return findPolicy(words, context);
}

/** The one in force first. It may never have judged a case, and is put on record now that somebody asks for it. */
async function listPolicies({ agons, ledger }: ServerContext) {
  await agons.refresh();
  const inForce = agons.activePolicy();
  await keepSentPolicy(ledger, inForce);
  const rows = (await ledger.policies.listPolicies()).map((row) => ({ ...row, active: row.hash === inForce.hash }));
  return rows.toSorted((a, b) => Number(b.active) - Number(a.active));
}

function showPolicy({ hash, name, version }: Policy) {
  return { hash, name, version };
}
