import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Site, sitesQuery, useOrganisation, useSite } from '../../api/current.ts';
import { messageOf } from '../../api/problem.ts';
import { Page } from '../../ui/page.tsx';
import { Commands } from './commands.tsx';
import { DropZone } from './drop-zone.tsx';
import { publish, type Step } from './publish.ts';
import type { Dropped } from './read-drop.ts';

/** Publishes a new source of a site: by dropping it, or by a command. */
export function PublishPage() {
  const { slug: org } = useOrganisation();
  const site = useSite() as Site;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>();
  const upload = useMutation({
    mutationFn: (dropped: Dropped) => publish(site.projectId, dropped, setStep),
    onSuccess: async (id) => {
      await queries.invalidateQueries(sitesQuery(org));
      return navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain: site.slug, id } });
    },
    onSettled: () => setStep(undefined),
  });
  return (
    <Page
      title="Publish"
      about={`A new version of ${site.name}. Readers see it once it is built; until then the current version stays live.`}
    >
      <div className="flex max-w-3xl flex-col gap-6">
        <DropZone
          step={step}
          failure={upload.error ? messageOf(upload.error) : undefined}
          onDropped={(dropped) => upload.mutate(dropped)}
        />
        <Commands slug={site.slug} />
      </div>
    </Page>
  );
}
