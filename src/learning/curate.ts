import { conduct, noUsage, turn, type Journal, type Reasoner, type Turn, type Usage } from '../debate/index.ts';
import { renderPolicy, type Policy } from '../policy/index.ts';
import type { PostMortem } from './post-mortem.ts';
import { curator } from './roles/curator.ts';

export interface CurateOptions {
  /** The debate that is studied: the curator's turn is kept beside its entries, and forgotten with them. */
  debate: string;
  policy: Policy;
  reasoner: Reasoner;
  journal: Journal;
  secret: string;
  signal?: AbortSignal;
}

/** Asks the curator about a finished case, or recalls what it said. `usage` is what was paid now. */
export async function curate(
  studied: PostMortem,
  { debate, policy, reasoner, journal, secret, signal }: CurateOptions,
): Promise<{ turn: Turn; usage: Usage }> {
  const role = curator({ policy: renderPolicy(policy), secret });
  const events = conduct(turn({ id: 'curator', role, reasoner }), studied, {
    debate,
    scope: 'learning',
    journal,
    signal,
  });
  let recalled = false;
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done) {
      const said = next.value[0] as Turn;
      return { turn: said, usage: recalled ? noUsage : said.usage };
    }
    if (next.value.type === 'turn-end') recalled = next.value.replayed;
  }
}
