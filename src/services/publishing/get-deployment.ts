import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { type DeploymentRow, findOwnDeployment } from '../../db/deployments/deployments.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';

/**
 * Returns the progress of a deployment of the actor's organization.
 * @throws DocentError `deployment_not_found`, also for those of others
 */
export async function getDeployment({ database }: Pick<Deps, 'database'>, actor: Actor, id: string): Promise<DeploymentRow> {
  requirePermission(actor, 'projects.read');
  const deployment = isUlid(id) ? await findOwnDeployment(database.queries, actor.organisationId, id) : undefined;
  if (!deployment) throw new DocentError('deployment_not_found', 'The organization has no such deployment.');
  return deployment;
}
