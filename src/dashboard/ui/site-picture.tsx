import { useState } from 'react';
import { Icon } from './icon.tsx';

interface Pictured {
  slug: string;
  name: string;
  url: string;
  live: { id: string } | null;
}

/** The picture that links to a site have, as its readers see it elsewhere. */
export function SitePicture({ site }: { site: Pictured }) {
  const [isMissing, setMissing] = useState(site.live === null);
  return (
    <div className="flex aspect-[1200/630] items-center justify-center bg-sunken text-muted">
      {isMissing ? (
        <Icon name="book-open" size={28} />
      ) : (
        <img
          src={`${site.url}/_docent/og/index.png?v=${site.live?.id}`}
          alt=""
          loading="lazy"
          onError={() => setMissing(true)}
          className="size-full object-cover"
        />
      )}
    </div>
  );
}
