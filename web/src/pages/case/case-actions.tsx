import type { CaseRecord } from '../../api/types.ts';
import { useMay } from '../../session/self.ts';
import { AppealDialog } from './appeal-dialog.tsx';
import { ForgetDialog } from './forget-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

/** What can be done with a case, by those who may. */
export function CaseActions({ record }: { record: CaseRecord }) {
  const mayJudge = useMay('judge');
  const mayForget = useMay('admin');
  const { answer } = record;
  return (
    <>
      {mayJudge && answer && <ReplayDialog record={record} answer={answer} />}
      {mayJudge && answer && <AppealDialog record={record} answer={answer} />}
      {mayForget && record.forgottenAt === null && <ForgetDialog record={record} />}
    </>
  );
}
