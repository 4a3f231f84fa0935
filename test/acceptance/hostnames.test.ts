import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { call, fixtureSite, getAs, publishArchive, tarball, until } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
} from '../support/start-docent.ts';

interface Hostname {
  hostname: string;
  status: string;
  approved: boolean;
  records: { type: string; name: string; value: string }[];
  found: { type: string; value: string }[];
}

describe('a hostname of a site', () => {
  let dns: DnsServer;
  let docent: RunningDocent;
  beforeAll(async () => {
    dns = await startDnsServer();
    docent = await startDocent({ env: { DOCENT_DNS_SERVERS: dns.address } });
  });
  afterAll(async () => {
    await docent?.stop();
    dns?.close();
    await removeTemporaryFolders();
  });

  // Each attempt has a site and hostnames of its own.
  let unique = 0;
  let site = '';
  beforeEach(async () => {
    unique += 1;
    site = `acme-${unique}`;
    await publishArchive(docent, site, tarball(fixtureSite('small')));
  });

  const command = async (...args: string[]) => {
    const { code, stdout } = await runDocent(['hostnames', ...args, '--site', site, '--json'], {
      DOCENT_DATA: docent.dataFolder,
    });
    return { code, ...(JSON.parse(stdout) as Hostname & { hostnames: Hostname[] }) };
  };
  const statusAt = async (host: string) =>
    (await getAs(docent.port, host, '/guides/install')).status;

  test('serves the site once DNS has the required record, becomes canonical, and survives a DNS failure', async () => {
    const host = `docs-${unique}.acme.example`;
    const created = await call(docent, docent.adminKey, 'POST', '/v1/projects', {
      slug: `early-${unique}`,
      hostnames: [`early-${unique}.acme.example`],
    });
    expect(((await created.json()) as { hostnames: Hostname[] }).hostnames[0]).toMatchObject({
      status: 'pending',
    });
    const added = (await (
      await call(docent, docent.adminKey, 'POST', `/v1/projects/${site}/hostnames`, {
        hostname: host,
      })
    ).json()) as Hostname;
    expect([added.status, await statusAt(host)]).toEqual(['pending', 421]);
    expect(
      (await call(docent, docent.adminKey, 'GET', `/v1/projects/${host}/hostnames`)).status,
    ).toBe(404);
    const [record] = added.records;
    dns.records.set(`TXT ${record?.name}`, [record?.value ?? '']);
    expect(await command('check', host)).toMatchObject({
      code: 0,
      status: 'verified',
      found: [record],
    });
    const page = await until(async () => {
      const answer = await getAs(docent.port, host, '/guides/install');
      return answer.status === 200 ? answer.body.toString() : undefined;
    });
    expect(page).toContain(`<link rel="canonical" href="https://${host}/guides/install">`);
    expect((await getAs(docent.port, host, '/v1/projects')).status).toBe(404);
    expect(
      (await call(docent, docent.adminKey, 'GET', `/v1/projects/${host}/hostnames`)).status,
    ).toBe(200);
    onTestFinished(() => {
      dns.fails = false;
    });
    dns.fails = true;
    expect(await command('check', host)).toMatchObject({ code: 0, status: 'verified' });
  });

  test('is added, listed, approved and removed on the command line of the server', async () => {
    const host = `docs-${unique}.corp.example`;
    expect(await command('add', host)).toMatchObject({ code: 0, status: 'pending' });
    expect(await command('check', host)).toMatchObject({ code: 1, status: 'pending' });
    const byKey = await call(
      docent,
      docent.adminKey,
      'POST',
      `/v1/projects/${site}/hostnames/${host}/approve`,
    );
    expect([byKey.status, ((await byKey.json()) as { code: string }).code]).toEqual([
      403,
      'operator_required',
    ]);
    expect(await command('approve', host)).toMatchObject({
      code: 0,
      status: 'verified',
      approved: true,
    });
    expect(
      (await command('list')).hostnames.map(({ hostname, status }) => [hostname, status]),
    ).toContainEqual([host, 'verified']);
    await until(async () => ((await statusAt(host)) === 200 ? true : undefined));
    expect((await command('remove', host)).code).toBe(0);
    await until(async () => ((await statusAt(host)) === 421 ? true : undefined));
    const log = await call(docent, docent.adminKey, 'GET', '/v1/audit-log?action=approveHostname');
    expect(JSON.stringify(await log.json())).toContain('operator_required');
  });
});
