import { useState } from 'react';
import { type Site, useOrganisation } from '../../api/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { isRunning, type Summary, useDeploymentActions } from './deployments-query.ts';

/** What can be done with a deployment, in a menu. */
export function DeploymentMenu({ deployment, site, onDeleted }: { deployment: Summary; site: Site; onDeleted?: () => void }) {
  const { may } = useOrganisation();
  const { promote, cancel, pin, remove } = useDeploymentActions(site);
  const [isDeleted, setDeleted] = useState(false);
  if (!may('editor')) return null;
  const { id, pinned, isLive, canPromote } = deployment;
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${id}`} icon="ellipsis" />}>
        {isRunning(deployment) && (
          <MenuItem icon="ban" onSelect={() => cancel.mutate(id)}>
            Cancel
          </MenuItem>
        )}
        {canPromote && (
          <MenuItem icon="rotate-ccw" onSelect={() => promote.mutate({ id })}>
            {promoteWord(deployment, site)}
          </MenuItem>
        )}
        {deployment.status === 'success' && (
          <MenuItem icon="pin" onSelect={() => pin.mutate({ id, pinned: !pinned })}>
            {pinned ? 'Unpin' : 'Keep this build'}
          </MenuItem>
        )}
        {(canPromote || isRunning(deployment) || deployment.status === 'success') && <MenuSeparator />}
        <MenuItem icon="trash" isDanger disabled={isLive || pinned || isRunning(deployment)} onSelect={() => setDeleted(true)}>
          Delete
        </MenuItem>
      </Menu>
      <ConfirmDialog
        title="Delete the deployment"
        action="Delete deployment"
        isOpen={isDeleted}
        onClose={() => setDeleted(false)}
        isBusy={remove.isPending}
        onConfirm={() =>
          remove.mutate(id, {
            onSuccess: onDeleted,
            onSettled: () => setDeleted(false),
          })
        }
      >
        Its build, report and log are deleted. Readers see no difference. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

/** An earlier build is gone back to, a later one is promoted. */
export function promoteWord({ createdAt }: Summary, { live }: Site): string {
  return live && createdAt < live.publishedAt ? 'Roll back to this' : 'Promote';
}
