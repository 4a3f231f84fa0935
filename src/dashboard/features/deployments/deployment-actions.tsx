import { api, type Schema } from '../../api/client.ts';
import { type Site, useOrganisation } from '../../api/queries.ts';
import { IconButton } from '../../ui/button.tsx';
import { duration } from '../../ui/format.ts';
import { confirmAction } from '../../ui/overlays/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import type { State } from '../../ui/values.tsx';

export type Summary = Schema<'DeploymentSummary'>;

export const isRunning = ({ status }: Pick<Summary, 'status'>) => status === 'queued' || status === 'in_progress';

/** How the state of a deployment is shown. */
export function stateOf({ status, endReason, isLive }: Summary): State {
  if (status === 'queued') return ['Queued', 'neutral'];
  if (status === 'in_progress') return ['Building', 'active'];
  if (isLive) return ['Live', 'success'];
  if (status === 'success') return ['Built', 'neutral'];
  if (endReason !== null) return [endReason === 'cancelled' ? 'Cancelled' : 'Superseded', 'neutral'];
  return ['Failed', 'danger'];
}

/** Duration of a deployment, including waiting. */
export function lengthOf({ startedAt, createdAt, endedAt }: Summary): string {
  return endedAt === null ? '–' : duration(Date.parse(endedAt) - Date.parse(startedAt ?? createdAt));
}

/** A build that was live before the live one is rolled back to, any other is promoted. */
export function promoteWord({ canRollBack }: Summary): string {
  return canRollBack ? 'Roll back to this' : 'Promote';
}

const DEPLOYMENT = '/v1/projects/{projectId}/deployments/{deploymentId}';

/** Actions on a deployment. */
export function useDeploymentActions({ projectId, live, url }: Site) {
  const of = (deploymentId: string) => ({ params: { path: { projectId, deploymentId } } });
  const promotion = useAction({
    run: ({ id }: { id: string; isUndo?: boolean }) => api.POST(`${DEPLOYMENT}/promote`, of(id)),
    done: (_, { isUndo }) => {
      const before = live?.id;
      if (isUndo || before === undefined) notify('The previous deployment is live again');
      else notify('This deployment is live', () => promotion.mutate({ id: before, isUndo: true }));
    },
    failed: 'The live deployment is unchanged',
  });
  /** Readers of the site may not be those of a preview, so promoting its build is confirmed. */
  const promote = ({ id, preview }: Pick<Summary, 'id' | 'preview'>) => {
    if (preview === null) promotion.mutate({ id });
    else
      confirmAction({
        title: `Promote a build of the preview “${preview}”`,
        text: (
          <>
            This makes it the live site. Everyone who can open <span className="font-medium text-text">{url}</span> can then read
            it; a password of the preview does not protect it there.
          </>
        ),
        action: 'Promote to the live site',
        run: () => promotion.mutateAsync({ id }),
        failed: 'The live deployment is unchanged',
      });
  };
  const cancel = useAction({
    run: (id: string) => api.POST(`${DEPLOYMENT}/cancel`, of(id)),
    done: 'Deployment cancelled',
    failed: 'The deployment could not be cancelled',
  });
  const pin = useAction({
    run: ({ id, pinned }: { id: string; pinned: boolean }) => api.PATCH(DEPLOYMENT, { ...of(id), body: { pinned } }),
    done: (_, { id, pinned }) =>
      notify(pinned ? 'The build is kept until you unpin it' : 'The build can be cleaned up again', () =>
        pin.mutate({ id, pinned: !pinned }),
      ),
    failed: 'Nothing was changed',
  });
  const remove = (id: string, onDeleted?: () => void) =>
    confirmAction({
      title: 'Delete the deployment',
      text: 'This deletes its build, report and log. Readers are not affected. This cannot be undone.',
      action: 'Delete deployment',
      run: async () => {
        await api.DELETE(DEPLOYMENT, of(id));
        onDeleted?.();
      },
      done: 'Deployment deleted',
      failed: 'The deployment could not be deleted',
    });
  return { promote, isPromoting: promotion.isPending, rollBack: promotion.mutate, cancel, pin, remove };
}

/** The menu of actions on a deployment. */
export function DeploymentMenu({ deployment, site, onDeleted }: { deployment: Summary; site: Site; onDeleted?: () => void }) {
  const { may } = useOrganisation();
  const { promote, cancel, pin, remove } = useDeploymentActions(site);
  if (!may('editor')) return null;
  const { id, pinned, isLive, canPromote } = deployment;
  return (
    <Menu trigger={<IconButton label={`Actions for ${id}`} icon="ellipsis" />}>
      {isRunning(deployment) && (
        <MenuItem icon="ban" onSelect={() => cancel.mutate(id)}>
          Cancel
        </MenuItem>
      )}
      {canPromote && (
        <MenuItem icon="rotate-ccw" onSelect={() => promote(deployment)}>
          {promoteWord(deployment)}
        </MenuItem>
      )}
      {deployment.status === 'success' && (
        <MenuItem icon="pin" onSelect={() => pin.mutate({ id, pinned: !pinned })}>
          {pinned ? 'Unpin' : 'Keep this build'}
        </MenuItem>
      )}
      {(canPromote || isRunning(deployment) || deployment.status === 'success') && <MenuSeparator />}
      <MenuItem icon="trash" isDanger disabled={isLive || pinned || isRunning(deployment)} onSelect={() => remove(id, onDeleted)}>
        Delete
      </MenuItem>
    </Menu>
  );
}
