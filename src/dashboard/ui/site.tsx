import { useState } from 'react';
import { Icon } from './icon.tsx';
import { Status, type Tone } from './values.tsx';

interface Pictured {
  slug: string;
  name: string;
  live: { id: string } | null;
}

/**
 * The picture that links to a site have, as its readers see it elsewhere. The platform leads to the site's own address below the sites
 * domain, from which alone the policy of the dashboard takes pictures.
 */
export function SitePicture({ site }: { site: Pictured }) {
  const [isMissing, setMissing] = useState(site.live === null);
  return (
    <div className="flex aspect-[1200/630] items-center justify-center bg-sunken text-muted">
      {isMissing ? (
        <Icon name="book-open" size={28} />
      ) : (
        <img
          src={`/sites/${site.slug}/_docent/og/index.png?v=${site.live?.id}`}
          alt=""
          loading="lazy"
          onError={() => setMissing(true)}
          className="size-full object-cover"
        />
      )}
    </div>
  );
}

const STATES: Record<'empty' | 'live' | 'publishing' | 'failing', [word: string, tone: Tone]> = {
  empty: ['Not published', 'neutral'],
  live: ['Live', 'success'],
  publishing: ['Publishing', 'active'],
  failing: ['Last publish failed', 'danger'],
};

/** What a site is doing. */
export function SiteState({ site: { state } }: { site: { state: keyof typeof STATES } }) {
  const [word, tone] = STATES[state];
  return <Status tone={tone}>{word}</Status>;
}
