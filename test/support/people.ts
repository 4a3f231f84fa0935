import type { Actor, Role } from '@docent/format/access/may.ts';
import { insertMember } from '../../packages/server/src/kernel/access/member-queries.ts';
import { cookieOf } from '../../packages/server/src/ports/accounts.contract.ts';
import type { TestApp } from './test-app.ts';

export const PASSWORD = 'correct horse battery';

let count = 0;

/**
 * Adds a signed-in member to the organization of an actor; `headers` send their session as the
 * dashboard does.
 */
export async function addMember(
  { deps }: TestApp,
  { organizationId }: Pick<Actor, 'organizationId'>,
  role: Role,
) {
  count += 1;
  const email = `person${count}@example.com`;
  const user = await deps.accounts.createUser({
    name: `Person ${count}`,
    email,
    password: PASSWORD,
  });
  await insertMember(deps.database.queries, {
    organizationId,
    userId: user.id,
    role,
    createdAt: deps.clock.now(),
  });
  return { userId: user.id, email, headers: await signIn({ deps }, email) };
}

/** Signs in, and returns the headers of the new session. */
export async function signIn(
  { deps }: Pick<TestApp, 'deps'>,
  email: string,
): Promise<{ cookie: string; origin: string }> {
  const answer = await deps.accounts.perform({
    method: 'POST',
    path: '/sign-in/email',
    body: { email, password: PASSWORD },
  });
  return { cookie: cookieOf(answer), origin: new URL(deps.config.publicUrl).origin };
}
