import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../../../test/support/dns-server.ts';
import { DnsFault, type DnsLookup } from '../../ports/dns-lookup.ts';
import { createNodeDnsLookup } from './node-dns.ts';

describe('the DNS lookup', () => {
  let server: DnsServer;
  let dns: DnsLookup;
  beforeAll(async () => {
    server = await startDnsServer();
    dns = createNodeDnsLookup({ servers: [server.address] });
  });
  afterAll(() => server.close());

  it('joins the parts of each TXT record into one text', async () => {
    server.records.set('TXT _docent.docs.acme.example', ['one', 'x'.repeat(600)]);
    expect((await dns.txt('_docent.docs.acme.example')).sort()).toEqual(['one', 'x'.repeat(600)]);
  });

  it('returns the target of a CNAME record in lower case', async () => {
    server.records.set('CNAME docs.acme.example', ['Acme.Sites.Example']);
    expect(await dns.cname('docs.acme.example')).toEqual(['acme.sites.example']);
  });

  it('returns an empty list if the name or the record type does not exist', async () => {
    expect(await dns.txt('_docent.nobody.example')).toEqual([]);
    expect(await dns.cname('_docent.docs.acme.example')).toEqual([]);
  });

  it('throws if the server fails, instead of returning an empty list', async () => {
    server.fails = true;
    await expect(dns.txt('docs.acme.example')).rejects.toThrow(DnsFault);
    server.fails = false;
  });
});
