import { Link } from '@tanstack/react-router';
import type { Analysis, EvaluationAnswer, ModerationAnswer } from '../../api/types.ts';
import { Card, Section } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { reportFileName } from './exports.tsx';

/** What made the answer, and how anybody can check it without this server. */
export function Provenance({ answer }: { answer: ModerationAnswer | EvaluationAnswer | Analysis }) {
  const { agon, protocol, policy, models, precedents, prompts, configuration } = answer.provenance;
  const verify = `agon verify ${reportFileName(answer.id)}`;
  return (
    <Section title="Provenance">
      <Card className="grid gap-5">
        <Facts
          facts={[
            ['Agon', agon],
            ['Protocol', protocol],
            answer.job === 'documents'
              ? null
              : [
                  'Policy',
                  <Link key="policy" to="/policy" className="text-link underline">
                    {policy.name} {policy.version}
                  </Link>,
                ],
            [
              'Models',
              <ul key="models">
                {Object.entries(models).map(([seat, model]) => (
                  <li key={seat}>
                    {seat}: <code className="font-mono text-sm">{model}</code>
                  </li>
                ))}
              </ul>,
            ],
          ]}
        />
        <dl className="grid gap-3 border-t pt-4">
          <Hash name="Seal, of everything in the answer" value={answer.seal} />
          <Hash name="Configuration" value={configuration} />
          <Hash name="Prompts" value={prompts} />
          {answer.job !== 'documents' && <Hash name="Policy" value={policy.hash} />}
          {precedents !== null && <Hash name="Precedent library" value={precedents} />}
        </dl>
        <div className="grid gap-2 border-t pt-4">
          <p>
            The seal, the quotations and every figure that code computed can be checked offline, without trusting this
            server: save the JSON, then
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <code className="rounded-lg border bg-paper px-3 py-1.5 font-mono text-sm">{verify}</code>
            <CopyButton text={verify} />
          </div>
        </div>
      </Card>
    </Section>
  );
}

function Hash({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="font-mono text-sm break-all">{value}</dd>
    </div>
  );
}
