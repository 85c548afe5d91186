import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import type { PolicyVersion } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogClose } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/placeholders.tsx';
import { showToast } from '../../components/toasts.tsx';
import { useMay } from '../../session/session.ts';
import { invalidatePolicies } from './policy-queries.ts';

/** Lets a policy judge new cases. */
export function Enact({
  version,
  active,
  onDone,
  size = 'normal',
}: {
  version: Pick<PolicyVersion, 'hash' | 'name' | 'version'>;
  active: boolean;
  onDone?: () => void;
  size?: 'normal' | 'small';
}) {
  const mayAdminister = useMay('admin');
  const enact = useMutation({
    mutationFn: () => client.policies.activate(version.hash),
    onSuccess: async () => {
      await invalidatePolicies();
      showToast(`${version.name} ${version.version} is now in force.`);
      onDone?.();
    },
  });
  if (active) return <p role="status">This policy is in force.</p>;
  if (!mayAdminister) return <p className="text-quiet">Putting a policy in force requires the admin scope.</p>;
  return (
    <Dialog
      title="Put this policy in force?"
      description={
        `New cases will be judged by ${version.name} ${version.version}. ` +
        'Cases in progress finish under the old policy; past cases stay as they are.'
      }
      trigger={
        <Button className="justify-self-start" size={size} variant={size === 'small' ? 'secondary' : 'primary'}>
          Put in force
        </Button>
      }
    >
      {enact.isError && <ProblemNotice error={enact.error} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={enact.isPending} onClick={() => enact.mutate()}>
          Put in force{' '}
        </Button>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
      </div>
    </Dialog>
  );
}
