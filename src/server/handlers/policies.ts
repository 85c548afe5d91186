import { AgonError } from '../../errors.ts';
import { diffPolicies, parsePolicy, writePolicy, type Policy } from '../../policy/index.ts';
import { reviewerOf } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { hearWork } from '../trials/run-work.ts';
import type { House } from '../server-context.ts';
import { impactWork, testWork } from '../policies/policy-work.ts';
import { putOnRecord, policyNamed } from '../policies/find-policy.ts';
import { located, media } from '../reply.ts';

/** The rulebooks on record, and the one in force. */
export const policyHandlers: Handlers<GroupOf<'policies'>> = {
  'policies.list': async (_, house) => ({ rows: await versions(house) }),

  async 'policies.create'({ body }, { ledger }) {
    const policy = parsePolicy(body.yaml.toWellFormed(), 'policy.yaml');
    await putOnRecord(ledger, policy);
    return located(policy, `/api/policies/${policy.hash}`);
  },

  async 'policies.get'({ params, query }, house) {
    const policy = await known(params.hash, house);
    return query.format === 'yaml'
      ? media(writePolicy(policy), 'application/yaml; charset=utf-8', `${policy.name}-${policy.version}.yaml`)
      : policy;
  },

  async 'policies.diff'({ params }, house) {
    const [from, to] = [await known(params.hash, house), await known(params.other, house)];
    return { from: named(from), to: named(to), changes: diffPolicies(from, to) };
  },

  'policies.test': async (request, house) =>
    hearWork(request, house, testWork(await known(request.params.hash, house), house)),

  'policies.impact': async (request, house) =>
    hearWork(request, house, await impactWork(await known(request.params.hash, house), request.body, house)),

  async 'policies.activate'({ params, principal }, house) {
    const { settings, ledger, courts } = house;
    if (settings.policy)
      throw new AgonError(
        'policy-in-file',
        'The settings name a policy file, which decides.',
        'Change that file, or take `policy` out of the settings, and start the server again.',
      );
    const policy = await known(params.hash, house);
    if ((await ledger.policies.findActivePolicy())?.hash !== policy.hash) {
      await putOnRecord(ledger, policy);
      await ledger.policies.activatePolicy(policy.hash, reviewerOf(principal));
    }
    // Before it is enacted, so that nobody who looks at the ledger goes back to the old one.
    if (courts.policy().hash !== policy.hash) await courts.enact(policy);
    return (await versions(house)).find(({ hash }) => hash === policy.hash)!;
  },
};

async function known(words: string, house: House): Promise<Policy> {
  await house.courts.look();
  return policyNamed(words, house);
}

/** The one in force first. It may never have judged a case, and is put on record now that somebody asks for it. */
async function versions({ courts, ledger }: House) {
  await courts.look();
  const inForce = courts.policy();
  await putOnRecord(ledger, inForce);
  const rows = (await ledger.policies.listPolicies()).map(({ keptAt, ...row }) => ({
    ...row,
    keptAt: keptAt?.toISOString() ?? null,
    active: row.hash === inForce.hash,
  }));
  return rows.toSorted((a, b) => Number(b.active) - Number(a.active));
}

function named({ hash, name, version }: Policy) {
  return { hash, name, version };
}
