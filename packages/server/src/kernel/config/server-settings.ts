import { Resolver } from 'node:dns';
import { parseIpRange, type TrustedProxies } from '@docent/format/access/ip.ts';
import { isHostname } from '@docent/format/access/site-name.ts';
import * as z from 'zod';
import {
  listOf,
  notes,
  onOrOff,
  publicUrl,
  readHostname,
  requestLimit,
  wholeNumber,
} from './setting.ts';

function readTrustedProxies(text: string, context: z.RefinementCtx): TrustedProxies {
  if (/^\d{1,2}$/.test(text))
    return text === '0' ? { kind: 'none' } : { kind: 'count', count: Number(text) };
  return { kind: 'ranges', ranges: readIpRanges(text, context) };
}

const readIpRanges = listOf(parseIpRange);
const readDnsServers = listOf((server) => {
  try {
    new Resolver().setServers([server]);
    return server;
  } catch {
    return undefined;
  }
});

/** Settings of the server: its listen address and its permissions. */
export const serverSettings = {
  DOCENT_PORT: wholeNumber(0, 65_535).prefault('3000').register(notes, {
    expected: 'a port, 0 to 65535',
    meaning: 'Port to listen on; 0 picks a free one.',
  }),
  DOCENT_HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .prefault('127.0.0.1')
    .register(notes, {
      expected: 'an address or a host name of this machine',
      meaning:
        'Address to listen on. The default is reachable from this machine only; `0.0.0.0` opens the server to the network.',
    }),
  DOCENT_DATA: z
    .string()
    .prefault('./data')
    .register(notes, { expected: 'a folder', meaning: 'Folder for all data of the server.' }),
  DOCENT_PUBLIC_URL: publicUrl().optional().register(notes, {
    default: 'http://localhost:<port>',
    meaning: 'Public address of the server, which links to it use.',
  }),
  DOCENT_SITES_DOMAIN: z.string().toLowerCase().refine(isHostname).optional().register(notes, {
    default: '<localhost for a public address on localhost>',
    expected: 'a host name such as docs.example.net',
    meaning:
      'Domain of the sites: each is at `<identifier>.<domain>`, a separate origin. Point `*.<domain>` at the server. Without it, the sites of a public address share its origin and are read in a sandbox.',
  }),
  DOCENT_TRUSTED_PROXIES: z.string().transform(readTrustedProxies).prefault('0').register(notes, {
    expected: 'a number of proxies, or addresses and CIDR ranges separated by commas',
    meaning: 'Reverse proxies in front of the server, whose `X-Forwarded-For` is trusted.',
  }),
  DOCENT_RESERVED_HOSTNAMES: z.string().transform(listOf(readHostname)).optional().register(notes, {
    expected: 'host names separated by commas',
    meaning:
      'Further host names of the platform, each including its subdomains. Requests to them are for the platform, and no site can use them.',
  }),
  DOCENT_SECURITY_CONTACT: z
    .string()
    .max(300)
    .regex(/^(?:https:\/\/|mailto:)[!-~]+$/)
    .optional()
    .register(notes, {
      expected: 'an address that begins with https:// or mailto:',
      meaning:
        'Where to report a vulnerability. The server then has a `/.well-known/security.txt` (RFC 9116).',
    }),
  DOCENT_DNS_SERVERS: z.string().transform(readDnsServers).optional().register(notes, {
    default: '<those of the system>',
    expected: 'IP addresses separated by commas, each with a port if it is not 53',
    meaning: 'DNS servers used to verify the hostnames of sites.',
  }),
  DOCENT_FRAME_ANCESTORS: z
    .string()
    .regex(/^[\w.:/*' -]+$/)
    .max(2000)
    .prefault("'self'")
    .register(notes, {
      expected:
        "origins separated by spaces, 'self' or 'none', as frame-ancestors of a Content-Security-Policy takes them",
      meaning: "Who may embed pages in a frame: origins separated by spaces, `'self'` or `'none'`.",
    }),
  DOCENT_METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,500}$/)
    .optional()
    .register(notes, {
      expected: 'a text of 16 to 500 letters, digits and . _ ~ + / = -',
      meaning:
        'Bearer token required for `/metrics`. Without it, `/metrics` accepts only direct requests from the machine itself.',
    }),
  DOCENT_ALLOWED_PRIVATE_RANGES: z.string().transform(readIpRanges).optional().register(notes, {
    expected: 'addresses and CIDR ranges separated by commas',
    meaning:
      'Private addresses to which the server may connect when it fetches resources of a site, proxies calls of API pages, delivers analytics streams, or reads Git repositories. By default, only public addresses are allowed.',
  }),
  DOCENT_FETCH_REMOTE: onOrOff().prefault('on').register(notes, {
    meaning:
      'Whether a build fetches remote resources of a site: pictures, fonts, style sheets, API descriptions. Turn it off in closed networks.',
  }),
  DOCENT_PLAYGROUND_PROXY: onOrOff().prefault('on').register(notes, {
    meaning:
      'Whether the server proxies the calls of API pages, for sites that enable it (`api.playground.proxy`).',
  }),
  DOCENT_INTEGRATIONS: onOrOff().prefault('off').register(notes, {
    meaning:
      'Whether pages of live sites load the third-party scripts in `integrations` of the site’s docs.json, such as Google Analytics.',
  }),
  DOCENT_ANALYTICS: onOrOff().prefault('on').register(notes, {
    meaning: 'Whether pages send analytics events to their own site, and the server stores them.',
  }),
  DOCENT_ANALYTICS_EVENTS_PER_DAY: wholeNumber(1000, 100_000_000)
    .prefault('1000000')
    .register(notes, {
      meaning:
        'Maximum analytics events of a site that one process stores per day; further ones are dropped.',
    }),
  DOCENT_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .prefault('info')
    .register(notes, {
      meaning: 'Minimum level of log messages.',
    }),
  DOCENT_DRAIN_SECONDS: wholeNumber(0, 3600, 'seconds').prefault('0').register(notes, {
    meaning:
      'How long the server keeps serving after a stop signal while `/readyz` returns 503, so that load balancers drain it first.',
  }),
  DOCENT_AUDIT_LOG_DAYS: wholeNumber(1, 3650, 'days').prefault('365').register(notes, {
    meaning: 'Number of days for which the audit log keeps its entries.',
  }),
  DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR: requestLimit(
    '10000',
    'Requests to the assistant API that an organization may make per hour.',
  ),
  DOCENT_LIMIT_ASSISTANT_PER_IP_DAY: requestLimit(
    '10000',
    'Requests to the assistant API that one address may make per day; IPv6 addresses are grouped by /64.',
  ),
  DOCENT_LIMIT_SEARCH_PER_ORGANIZATION_HOUR: requestLimit(
    '10000',
    'Search and page requests that an organization may receive per hour.',
  ),
  DOCENT_LIMIT_SEARCH_PER_IP_HOUR: requestLimit(
    '10000',
    'Search, page and MCP requests that one address may send per hour; IPv6 addresses are grouped by /64.',
  ),
  DOCENT_LIMIT_KEYS_PER_ORGANIZATION_HOUR: requestLimit(
    '10',
    'Keys that an organization may create per hour. The local operator is not limited.',
  ),
};
