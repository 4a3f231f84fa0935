import { z } from 'zod';
import { proofRecords } from '../../../core/access/hostname-proof.ts';
import type { SiteHostname } from '../../../services/hostnames/manage-hostnames.ts';
import { cnameTargetOf, type PlatformAddress } from '../../../services/sites/site-address.ts';
import { isoTime } from '../fields.ts';

const dnsRecord = z
  .object({
    type: z.enum(['TXT', 'CNAME']).describe('Type of the record.'),
    name: z.string().describe('Name that has the record.'),
    value: z.string().describe('Value of the record.'),
  })
  .meta({
    id: 'DnsRecord',
    description: 'A DNS record.',
    examples: [{ type: 'CNAME', name: 'docs.acme.example', value: 'acme.docs.example.net' }],
  });

export const hostnameSchema = z
  .object({
    hostname: z.string().describe('The hostname.'),
    status: z
      .enum(['pending', 'verified', 'failed'])
      .describe(
        'Status of the hostname. `pending`: DNS is checked repeatedly for two weeks. `verified`: it serves the site. `failed`: DNS is no longer checked; check with `POST …/verify`.',
      ),
    approved: z.boolean().describe('Whether the operator approved the hostname, so that it needs no verification.'),
    records: z.array(dnsRecord).describe('Records that verify the hostname. Set one of them.'),
    found: z.array(dnsRecord).describe('Records that the last check found instead.'),
    problem: z.string().nullable().describe('Problem with the verification of the hostname; `null` if there is none.'),
    checkedAt: isoTime.nullable().describe('When DNS was last checked.'),
    nextCheckAt: isoTime.nullable().describe('When DNS is checked next; `null` if only on request.'),
  })
  .meta({
    id: 'Hostname',
    description: 'A hostname of a site, and its verification.',
    examples: [
      {
        hostname: 'docs.acme.example',
        status: 'pending',
        approved: false,
        records: [
          {
            type: 'TXT',
            name: '_docent.docs.acme.example',
            value: 'docent-verification=5f0c3a9d7be14c52a1f86e2d904b7c33',
          },
          { type: 'CNAME', name: 'docs.acme.example', value: 'acme.docs.example.net' },
        ],
        found: [],
        problem: 'DNS has none of the required records. A new record can take hours to appear.',
        checkedAt: '2026-11-22T09:00:00.000Z',
        nextCheckAt: '2026-11-22T09:01:00.000Z',
      },
    ],
  });

export function hostnameView({ site, claim }: SiteHostname, platform: PlatformAddress): z.infer<typeof hostnameSchema> {
  const { hostname, token, checkAt } = claim;
  return { ...claim, records: proofRecords(hostname, token, cnameTargetOf(site.slug, platform)), nextCheckAt: checkAt };
}
