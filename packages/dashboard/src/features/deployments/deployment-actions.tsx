import { DEPENDENCIES } from '@docent/format/dependencies.ts';
import { deploymentTitle } from '@docent/format/deployments/deployment-title.ts';
import { queueWords } from '@docent/format/deployments/queue-words.ts';
import { useNavigate } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import { type Site, useOrganization } from '../../api/queries.ts';
import { IconButton } from '../../ui/button.tsx';
import { duration, exactTime } from '../../ui/format.ts';
import { confirmAction } from '../../ui/overlays/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import type { State } from '../../ui/values.tsx';

export type Summary = Schema<'DeploymentSummary'>;

export const isRunning = ({ status }: Pick<Summary, 'status'>) =>
  status === 'queued' || status === 'in_progress';

/** How the state of a deployment is shown. */
export function stateOf({
  status,
  endReason,
  waitingFor,
  queuePosition,
  isLive,
  pausesPushes,
  isShown,
  errors,
}: Summary): State {
  if (waitingFor !== null) return [`Waiting for ${DEPENDENCIES[waitingFor]}`, 'neutral'];
  if (status === 'queued') return [queueWords('Queued', queuePosition), 'neutral'];
  if (status === 'in_progress') return ['Building', 'active'];
  const tone = errors > 0 ? 'warning' : 'success';
  if (isLive) return [pausesPushes ? 'Live, pushes wait' : 'Live', tone];
  if (isShown) return ['In preview', tone];
  if (status === 'success') return ['Built', errors > 0 ? 'warning' : 'neutral'];
  if (endReason !== null) return [endReason === 'canceled' ? 'Canceled' : 'Superseded', 'neutral'];
  return ['Failed', 'danger'];
}

/** Duration of a deployment, including waiting. */
export function lengthOf({ startedAt, createdAt, endedAt }: Summary): string {
  return endedAt === null
    ? '–'
    : duration(Date.parse(endedAt) - Date.parse(startedAt ?? createdAt));
}

/** A build that was live before the live one is rolled back to, any other is promoted. */
export function promoteWord({ canRollBack }: Summary): string {
  return canRollBack ? 'Roll back to this' : 'Promote';
}

const DEPLOYMENT = '/v1/projects/{projectId}/deployments/{deploymentId}';

/** Actions on a deployment. */
export function useDeploymentActions({ projectId, live, url, slug }: Site) {
  const of = (deploymentId: string) => ({ path: { projectId, deploymentId } });
  const promotion = useAction({
    run: ({ id }: { id: string; isUndo?: boolean }) => api.post(`${DEPLOYMENT}/promote`, of(id)),
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
            This makes it the live site. Everyone who can open{' '}
            <span className="font-medium text-text">{url}</span> can then read it; a password of the
            preview does not protect it there.
          </>
        ),
        action: 'Promote to the live site',
        run: () => promotion.mutateAsync({ id }),
        failed: 'The live deployment is unchanged',
      });
  };
  const { slug: org } = useOrganization();
  const navigate = useNavigate();
  const rebuild = useAction({
    run: (id: string) => api.post(`${DEPLOYMENT}/rebuild`, of(id)),
    done: ({ statusId: id }) =>
      void navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain: slug, id } }),
    failed: 'The source could not be built again',
  });
  const cancel = useAction({
    run: (id: string) => api.post(`${DEPLOYMENT}/cancel`, of(id)),
    done: 'Deployment canceled',
    failed: 'The deployment could not be canceled',
  });
  const pin = useAction({
    run: ({ id, pinned }: { id: string; pinned: boolean }) =>
      api.patch(DEPLOYMENT, { ...of(id), body: { pinned } }),
    done: (_, { id, pinned }) =>
      notify(
        pinned ? 'The build is kept until you unpin it' : 'The build can be cleaned up again',
        () => pin.mutate({ id, pinned: !pinned }),
      ),
    failed: 'Nothing was changed',
  });
  const remove = (id: string, onDeleted?: () => void) =>
    confirmAction({
      title: 'Delete the deployment',
      text: 'This deletes its build, report and log. Readers are not affected. This cannot be undone.',
      action: 'Delete deployment',
      run: async () => {
        await api.delete(DEPLOYMENT, of(id));
        onDeleted?.();
      },
      done: 'Deployment deleted',
      failed: 'The deployment could not be deleted',
    });
  return {
    promote,
    isPromoting: promotion.isPending,
    rollBack: promotion.mutate,
    cancel,
    rebuild,
    pin,
    remove,
  };
}

/** The menu of actions on a deployment. */
export function DeploymentMenu({
  deployment,
  site,
  onDeleted,
}: {
  deployment: Summary;
  site: Site;
  onDeleted?: () => void;
}) {
  const { slug: org, may } = useOrganization();
  const { promote, cancel, rebuild, pin, remove } = useDeploymentActions(site);
  const navigate = useNavigate();
  const { id, pinned, isLive, isShown, canPromote } = deployment;
  const isStored = canPromote || isLive;
  // Several may have the same title, such as those of one person's uploads.
  const label = `Actions for ${deploymentTitle(deployment)}, ${exactTime(new Date(deployment.createdAt))}`;
  if (!may('editor') && !isStored) return null;
  const params = { org, domain: site.slug };
  const choose = () =>
    void navigate({
      to: '/$org/$domain/deployments',
      params,
      search: { show: 'all', compare: id },
    });
  return (
    <Menu trigger={<IconButton label={label} icon="ellipsis" />}>
      {isRunning(deployment) && may('editor') && (
        <MenuItem icon="ban" onSelect={() => cancel.mutate(id)}>
          Cancel
        </MenuItem>
      )}
      {may('editor') && (
        <>
          {canPromote && (
            <MenuItem icon="rotate-ccw" onSelect={() => promote(deployment)}>
              {promoteWord(deployment)}
            </MenuItem>
          )}
          {deployment.status === 'failure' && (
            <MenuItem icon="refresh-cw" onSelect={() => rebuild.mutate(id)}>
              Publish again
            </MenuItem>
          )}
          {deployment.status === 'success' && (
            <MenuItem icon="pin" onSelect={() => pin.mutate({ id, pinned: !pinned })}>
              {pinned ? 'Unpin' : 'Keep this build'}
            </MenuItem>
          )}
        </>
      )}
      {isStored && may('editor') && <MenuSeparator />}
      {isStored && site.live !== null && !isLive && (
        <MenuItem
          icon="arrow-left-right"
          onSelect={() =>
            navigate({ to: '/$org/$domain/deployments/$id/compare', params: { ...params, id } })
          }
        >
          Compare with live
        </MenuItem>
      )}
      {isStored && (
        <MenuItem icon="arrow-left-right" onSelect={choose}>
          Compare with another
        </MenuItem>
      )}
      {may('editor') && (
        <>
          <MenuSeparator />
          <MenuItem
            icon="trash"
            isDanger
            disabled={isLive || isShown || pinned || isRunning(deployment)}
            onSelect={() => remove(id, onDeleted)}
          >
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
