import type { NavbarLink, SiteConfig } from '../../core/docs-json/site-config.ts';
import type { FetchOutside } from './outside.ts';

const MAX_BYTES = 256 * 1024;
const MOST = 1_000_000_000;

interface Counter {
  /** Returns the URL to request the count from; undefined if the link has no count. */
  address: (href: string) => string | undefined;
  /** Property of the response. */
  member: string;
}

const COUNTERS: Record<NonNullable<NavbarLink['type']>, Counter> = {
  github: {
    address(href) {
      const name = /^https:\/\/(?:www\.)?github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[/?#]|$)/i.exec(href)?.[1];
      return name && `https://api.github.com/repos/${name}`;
    },
    member: 'stargazers_count',
  },
  discord: {
    address(href) {
      const code = /^https:\/\/(?:www\.)?(?:discord\.gg|discord(?:app)?\.com\/invite)\/([\w-]{2,64})/i.exec(href)?.[1];
      return code && `https://discord.com/api/v10/invites/${code}?with_counts=true`;
    },
    member: 'approximate_presence_count',
  },
};

/**
 * Requests the stars of the repositories and the online members of the Discord servers that the header links to, once per build.
 * An unavailable count is absent.
 */
export async function withNavbarCounts(config: SiteConfig, fetch: FetchOutside): Promise<SiteConfig> {
  const counted = async (navbar: SiteConfig['navbar']): Promise<SiteConfig['navbar']> => {
    const links = await Promise.all(navbar.links.map((link) => withCount(link, fetch)));
    const primary = navbar.primary;
    if (!primary) return { ...navbar, links };
    const { type } = primary;
    return { links, primary: type === 'button' ? primary : await withCount({ ...primary, type }, fetch) };
  };
  const { byLanguage } = config;
  return {
    ...config,
    navbar: await counted(config.navbar),
    ...(byLanguage && {
      byLanguage: await Promise.all(
        byLanguage.map(async ({ language, parts }) => ({
          language,
          parts: parts.navbar ? { ...parts, navbar: await counted(parts.navbar) } : parts,
        })),
      ),
    }),
  };
}

async function withCount<Link extends NavbarLink>(link: Link, fetch: FetchOutside): Promise<Link> {
  const counter = link.type && COUNTERS[link.type];
  const address = counter?.address(link.href);
  if (!counter || address === undefined) return link;
  const found = await fetch(address, { accept: 'application/json', maxBytes: MAX_BYTES });
  const count = 'fault' in found ? undefined : countIn(found.bytes, counter.member);
  return count === undefined ? link : { ...link, count };
}

function countIn(bytes: Uint8Array, member: string): number | undefined {
  try {
    const count = (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>)[member];
    return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < MOST ? count : undefined;
  } catch {
    return undefined;
  }
}
