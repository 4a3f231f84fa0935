import { api } from '../../api/client.ts';
import { type Site, useOrganization } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { useAction } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';

/** The code that adds the assistant to any page, with a key that is created on the spot. */
export function WidgetCard({ site: { slug } }: { site: Site }) {
  const { may } = useOrganization();
  const create = useAction({
    run: () =>
      api.post('/v1/keys', {
        body: { kind: 'assistant', name: 'Widget', site: slug, expiresInDays: null },
      }),
    failed: 'The key could not be created',
  });
  const key = create.data?.key;
  const code = `<script src="${window.location.origin}/widget.js" data-domain="${slug}" data-key="${key ?? 'svc_dsc_…'}" defer></script>`;
  return (
    <Card
      title="Assistant on other pages"
      about={
        key === undefined
          ? 'Adds the assistant of this site to any page. It needs an assistant key of this site.'
          : 'Ready to copy. The key is public: it may be in the code of a page. It can be revoked under API keys.'
      }
      action={
        key === undefined &&
        may('editor') && (
          <Button
            size="sm"
            icon="key-round"
            isBusy={create.isPending}
            onClick={() => create.mutate()}
          >
            Create a key for it
          </Button>
        )
      }
      isPadded
    >
      <CodeBlock label="Copy code" code={code} />
    </Card>
  );
}
