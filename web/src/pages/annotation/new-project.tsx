import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { NewProjectForm } from './new-project-form.tsx';

export function NewProject() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      wide
      title="New project"
      description="A dataset from a file, with the images that it names."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden className="size-4" /> New project
        </Button>
      }
    >
      <NewProjectForm />
    </Dialog>
  );
}
