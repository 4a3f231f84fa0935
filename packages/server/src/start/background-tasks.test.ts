import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { insertAuditRow } from '../audit/queries.ts';
import { backgroundTasks } from './background-tasks.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp({ env: { DOCENT_AUDIT_LOG_DAYS: '30' } });
});
afterAll(() => testApp.close());

test('an entry of the audit log is deleted once it is older than the operator has set', async () => {
  const { deps } = testApp;
  const { queries } = deps.database;
  const { organizationId } = await addOrganization(testApp);
  const add = (id: string) =>
    insertAuditRow(queries, organizationId, {
      id,
      at: deps.clock.now(),
      actor: 'operator',
      actorKind: 'operator',
      actorName: null,
      action: 'createProject',
      thing: 'aging',
      thingName: null,
      siteId: null,
      siteName: null,
      changes: [],
      address: '127.0.0.1',
      requestId: null,
      outcome: 'done',
      code: null,
    });
  const left = async () => {
    const task = backgroundTasks(deps).find(({ failure }) => failure.startsWith('expired records'));
    await task?.run();
    const rows = queries.selectFrom('audit_log').select('id').orderBy('at');
    return (await rows.where('organization_id', '=', organizationId).execute()).map(({ id }) => id);
  };
  await add('aging-old');
  deps.clock.advance(29 * 24 * 3600);
  await add('aging-new');
  expect(await left()).toEqual(['aging-old', 'aging-new']);
  deps.clock.advance(2 * 24 * 3600);
  expect(await left()).toEqual(['aging-new']);
});
