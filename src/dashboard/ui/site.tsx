import { useState } from 'react';
import { pictureOf } from '../api/early-sites.ts';
import { Icon } from './icon.tsx';
import { Status, type Tone } from './values.tsx';

interface Pictured {
  slug: string;
  live: object | null;
}

/**
 * The preview image that links to a site have elsewhere, which the platform serves itself.
 * @param isFirst whether it is seen when the page opens, so that it is loaded before others
 */
export function SitePicture({ site, isFirst = true }: { site: Pictured; isFirst?: boolean }) {
  const [isMissing, setMissing] = useState(site.live === null);
  return (
    <div className="flex aspect-[1200/630] min-h-full max-w-full items-center justify-center bg-sunken text-muted">
      {isMissing ? (
        <Icon name="book-open" size={28} />
      ) : (
        <img
          src={pictureOf(site.slug)}
          alt=""
          width={800}
          height={420}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
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

/** Shows the state of a site. */
export function SiteState({ site: { state } }: { site: { state: keyof typeof STATES } }) {
  const [word, tone] = STATES[state];
  return <Status tone={tone}>{word}</Status>;
}
