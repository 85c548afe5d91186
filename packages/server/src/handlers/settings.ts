import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import type { GroupOf, Handlers } from '../handler.ts';
import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import { type ListedModel, type NamedModel, listModels, listNamedModels } from '@agonhq/core/app';
import type { Jobs } from '@agonhq/judges/job';
import { describeModel } from '@agonhq/models/reasoners';
import { readFfmpegVersion } from '@agonhq/models/senses';
import { type DescribedSetting, type Settings, blockOf, describeSettings, llmSettingsOf } from '@agonhq/core/settings';
import { version } from '@agonhq/engine/version';
import type { ServerContext } from '../server-context.ts';
import { describeSeats, listConfigured } from '../settings/describe-jobs.ts';

/** What the server runs with, and whether its models answer. */
export const settingsHandlers: Handlers<GroupOf<'settings'> | GroupOf<'models'>> = {
  'settings.get': (_, context) => describeServer(context),

  async 'models.try'({ body: { model }, signal }, { modelTrials }) {
    const began = performance.now();
    try {
      return { model, ok: true, milliseconds: Math.round(await modelTrials.tryModel(model, signal)), problem: null };
    } catch (error) {
      if (!AgonError.is(error) || error.code === 'unnamed-model') throw error;
      return { model, ok: false, milliseconds: Math.round(performance.now() - began), problem: showTrouble(error) };
    }
  },
};

type InForce = z.output<typeof schemas.settingsInForce>;

/** What a server runs with, from the settings that it was started with. Secrets stay where they are. */
async function describeServer(context: ServerContext): Promise<InForce> {
  const { jobs, settings, environment, ledger, agons } = context;
  const { server: { webhooks = [], openid } = {} } = settings;
  const { name, version: policyVersion, hash } = agons.activePolicy();
  const [seated, configured] = [await describeSeats(context), listConfigured(context)];
  return {
    agon: version,
    ledger: { kind: ledger.kind, place: ledger.place },
    policy: { name, version: policyVersion, hash },
    jobs: jobs.list().map(({ id, title }) => {
      const { seats, problem } = seated.get(id)!;
      return { id, title, ...configured[id]!, seats, problem: problem && showTrouble(problem) };
    }),
    models: listNamedModels(jobs, settings, environment).map((model) => showModel(model, settings, environment)),
    groups: groupSettings(describeSettings(jobs, settings, environment)),
    webhooks: webhooks.map(({ url, events = ['verdict'] }) => ({ host: new URL(url).host, events })),
    openid: openid
      ? {
          issuer: openid.issuer,
          name: openid.name ?? null,
          claim: openid.claim ?? 'groups',
          roles: openid.roles ?? {},
          everybody: openid.everybody ?? [],
        }
      : null,
    ffmpeg: await findFfmpeg(jobs, settings),
    installed: (await listModels(environment, { compares: false })).map(showInstalled),
  };
}

function showInstalled({ id, purpose, licence, bytes, isPart, state }: ListedModel): InForce['installed'][number] {
  return { id, purpose, licence, bytes, isPart, state };
}

function showModel(
  { model, kind }: NamedModel,
  settings: Settings,
  environment: ServerContext['environment'],
): InForce['models'][number] {
  if (kind === 'embedded' || !model.includes(':'))
    return { model, kind, provider: null, limits: null, price: null, fallbacks: [], problem: null };
  const described = describeModel(model, llmSettingsOf(settings), environment);
  const { provider, host, local, key, limits, price, fallbacks, problem } = described;
  return {
    model,
    kind,
    provider: { name: provider, host, local, key },
    limits,
    price,
    fallbacks: [...fallbacks],
    problem: problem && showTrouble(problem),
  };
}

function showTrouble(error: AgonError): { code: string; message: string; hint: string } {
  return { code: error.code, message: error.message, hint: hintFor(error, 'api') };
}

/** Shown apart, or with secrets in them. */
const shownElsewhere = /^(seats\.|ledger$|server\.(openid|webhooks)$)/;

/** By their block in the configuration file; those in none come first. */
function groupSettings(described: readonly DescribedSetting[]): InForce['groups'] {
  const shown = described.filter(({ path }) => !shownElsewhere.test(path));
  const groups = Map.groupBy(shown, ({ path }) => (path.includes('.') ? path.split('.')[0]! : 'general'));
  return [...groups]
    .toSorted(([one], [other]) => Number(other === 'general') - Number(one === 'general'))
    .map(([name, settings]) => ({
      name,
      settings: settings.map((setting) => ({ ...setting, value: setting.value ?? null })),
    }));
}

async function findFfmpeg(jobs: Jobs, settings: Settings): Promise<InForce['ffmpeg']> {
  const named = jobs.list().map((job) => blockOf(settings, job)['ffmpeg']);
  const command = named.find((name) => typeof name === 'string') ?? 'ffmpeg';
  try {
    return { version: await readFfmpegVersion(command), problem: null };
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return { version: null, problem: showTrouble(error) };
  }
}
