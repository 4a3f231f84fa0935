import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useOrganisation } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';

/** Commands to publish by CLI and by API, with a key created on the spot if the user may create one. */
export function Commands({ slug }: { slug: string }) {
  const origin = window.location.origin;
  const { slug: org, may } = useOrganisation();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/v1/keys', { body: { kind: 'admin', name: `Publish ${slug}`.slice(0, 100), scopes: ['read', 'write'] } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [org, 'keys'] }),
    onError: (error) => notifyFailure('The key could not be created', error),
  });
  const key = create.data?.key ?? 'svc_…';
  return (
    <Card
      title="From a terminal or a pipeline"
      about={
        create.data
          ? 'The key in the commands is shown only once. It expires in 90 days.'
          : 'Needs an admin key with write access.'
      }
      action={
        may('admin') &&
        !create.data && (
          <Button icon="key-round" isBusy={create.isPending} onClick={() => create.mutate()}>
            Create a key for it
          </Button>
        )
      }
      isPadded
    >
      <div className="flex flex-col gap-3">
        <CodeBlock label="Copy command" code={`DOCENT_URL=${origin} DOCENT_API_KEY=${key} docent publish docs --site ${slug}`} />
        <CodeBlock
          label="Copy command"
          code={`tar -czf docs.tar.gz -C docs .\ncurl -X PUT ${origin}/v1/project/${slug}/source \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/gzip' \\\n  --data-binary @docs.tar.gz`}
        />
      </div>
    </Card>
  );
}
