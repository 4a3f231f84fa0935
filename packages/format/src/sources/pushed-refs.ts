import { isObject, valueAt } from '../json-value.ts';

/**
 * Returns the refs that a message about a push names, as GitHub, GitLab, Gitea, Forgejo, Bitbucket
 * and Azure Repos write it.
 * @returns undefined if it names none, whatever it is about
 */
export function pushedRefs(message: unknown): string[] | undefined {
  if (!isObject(message)) return undefined;
  const refs = [
    valueAt(message, 'ref'),
    ...listIn(valueAt(message, 'push'), 'changes').flatMap((change) => [
      branchOf(valueAt(change, 'new')),
      branchOf(valueAt(change, 'old')),
    ]),
    ...listIn(message, 'changes').map((change) => valueAt(valueAt(change, 'ref'), 'id')),
    ...listIn(valueAt(message, 'resource'), 'refUpdates').map((update) => valueAt(update, 'name')),
  ].filter((name): name is string => typeof name === 'string' && name !== '');
  return refs.length === 0 ? undefined : refs;
}

function listIn(value: unknown, name: string): unknown[] {
  const list = valueAt(value, name);
  return Array.isArray(list) ? list : [];
}

/** Bitbucket Cloud names a branch without its folder of refs. */
function branchOf(target: unknown): string | undefined {
  const name = valueAt(target, 'name');
  return typeof name === 'string' && valueAt(target, 'type') === 'branch'
    ? `refs/heads/${name}`
    : undefined;
}
