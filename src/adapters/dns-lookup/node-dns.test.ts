import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts';
import { DnsFault, type DnsLookup } from '../../ports/dns-lookup.ts';
import { createNodeDnsLookup } from './node-dns.ts';

describe('DNS', () => {
  let server: DnsServer;
  let dns: DnsLookup;
  beforeAll(async () => {
    server = await startDnsServer();
    dns = createNodeDnsLookup({ servers: [server.address] });
  });
  afterAll(() => server.close());

  it('gives each TXT record as one text, however it is cut', async () => {
    server.records.set('TXT _docent.docs.acme.example', ['one', 'x'.repeat(600)]);
    expect((await dns.txt('_docent.docs.acme.example')).sort()).toEqual(['one', 'x'.repeat(600)]);
  });

  it('gives the target of a CNAME record in lower case', async () => {
    server.records.set('CNAME docs.acme.example', ['Acme.Sites.Example']);
    expect(await dns.cname('docs.acme.example')).toEqual(['acme.sites.example']);
  });

  it('gives nothing where the name or the type is not there', async () => {
    expect(await dns.txt('_docent.nobody.example')).toEqual([]);
    expect(await dns.cname('_docent.docs.acme.example')).toEqual([]);
  });

  it('reports where there was no answer, which is not the same', async () => {
    server.fails = true;
    await expect(dns.txt('docs.acme.example')).rejects.toThrow(DnsFault);
    server.fails = false;
  });
});
