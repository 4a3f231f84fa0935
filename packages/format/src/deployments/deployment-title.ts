import type { Commit, DeploymentSource } from './commit.ts';

/** What names a deployment, as the API returns it. */
export interface NamedDeployment {
  commit: Pick<Commit, 'sha' | 'ref' | 'message'> | null;
  actor: { kind: 'person' | 'key' | 'operator' | 'directory'; name: string | null } | null;
  source: DeploymentSource | null;
  summary: string;
}

const VERBS: Record<DeploymentSource, string> = {
  upload: 'Uploaded',
  dashboard: 'Started',
  cli: 'Published',
  api: 'Published',
  git: 'Published',
};

/** Returns the name of a deployment: the message of its commit, or who published it. */
export function deploymentTitle(deployment: NamedDeployment): string {
  const { commit, actor, source, summary } = deployment;
  if (commit?.message) return commit.message;
  if (commit && commitName(commit) !== '') return commitName(commit);
  if (actor === null || source === null) return summary || 'Deployment';
  return `${VERBS[source]} by ${actorName(actor)}`;
}

/** Returns who started or created something. */
export function actorName({ kind, name }: NonNullable<NamedDeployment['actor']>): string {
  if (name !== null) return name;
  return {
    operator: 'the operator',
    directory: 'the directory (SCIM)',
    key: 'a deleted key',
    person: 'a former member',
  }[kind];
}

/** `main@1f3c9ab`, as far as it is known. */
export function commitName({ sha, ref }: Pick<Commit, 'sha' | 'ref'>): string {
  return [ref, sha.slice(0, 7)].filter(Boolean).join('@');
}
