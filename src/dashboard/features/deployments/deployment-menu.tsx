import { useState } from 'react';
import { type Site, useOrganisation } from '../../api/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { isRunning, type Summary, useDeploymentActions } from './deployments-query.ts';

/** The menu of actions on a deployment. */
export function DeploymentMenu({ deployment, site, onDeleted }: { deployment: Summary; site: Site; onDeleted?: () => void }) {
  const { may } = useOrganisation();
  const { promote, cancel, pin, remove, refresh } = useDeploymentActions(site);
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
        run={async () => {
          await remove(id);
          onDeleted?.();
        }}
        done="Deployment deleted"
        failed="The deployment could not be deleted"
        refresh={refresh}
      >
        This deletes its build, report and log. Readers are not affected. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

/** Whether the build is earlier than the live one. */
export function isRollback({ createdAt }: Summary, { live }: Site): boolean {
  return live !== null && createdAt < live.publishedAt;
}

/** An earlier build is rolled back to, a later one is promoted. */
export function promoteWord(deployment: Summary, site: Site): string {
  return isRollback(deployment, site) ? 'Roll back to this' : 'Promote';
}
