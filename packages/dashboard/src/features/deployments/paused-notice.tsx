import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useOrganization, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Notice } from '../../ui/page.tsx';

/** Says that pushes are not published after a rollback, and lets editors publish them again. */
export function PausedNotice({ children }: { children?: ReactNode }) {
  const { projectId } = useSite();
  const { may } = useOrganization();
  const params = { path: { projectId } };
  const resume = useAction({
    run: () => api.post('/v1/projects/{projectId}/sources/resume', params),
    done: () => notify('Pushes are published again, and the branch is being deployed'),
    failed: 'The branch could not be deployed',
  });
  return (
    <Notice tone="warning">
      An earlier deployment is live, so pushes are not published until you resume. {children}
      {may('editor') && (
        <div className="mt-2">
          <Button size="sm" isBusy={resume.isPending} onClick={() => resume.mutate()}>
            Resume
          </Button>
        </div>
      )}
    </Notice>
  );
}
