import { type Site, useSite } from '../../api/current.ts';
import { AnchorButton } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { SitePicture } from '../../ui/site-picture.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';

/** A site at a glance. */
export function OverviewPage() {
  const site = useSite() as Site;
  return (
    <Page
      title={site.name}
      about={<Status tone={site.published ? 'success' : 'neutral'}>{site.published ? 'Live' : 'Not published'}</Status>}
      action={
        <AnchorButton href={site.url} target="_blank" rel="noreferrer" icon="external-link">
          Visit
        </AnchorButton>
      }
    >
      <Card className="grid overflow-hidden md:grid-cols-[22rem_1fr]">
        <SitePicture site={site} />
        <dl className="grid content-start gap-x-6 gap-y-3 p-5 text-s sm:grid-cols-[8rem_1fr]">
          <dt className="text-muted">Address</dt>
          <dd>
            <CopyText value={site.url} label="Copy address" />
          </dd>
          <dt className="text-muted">Identifier</dt>
          <dd>
            <CopyText value={site.slug} label="Copy identifier" />
          </dd>
          <dt className="text-muted">Changed</dt>
          <dd>
            <RelativeTime at={site.updatedAt} />
          </dd>
        </dl>
      </Card>
    </Page>
  );
}
