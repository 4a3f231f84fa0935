import { api } from '../../api/client.ts';
import { refresh, type Site } from '../../api/queries.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';

/**
 * The address at which readers open the site through the proxy of a website, and what that proxy
 * needs.
 */
export function PublicUrlCard({ site }: { site: Site }) {
  const { projectId, settings, defaultUrl } = site;
  const form = useApiForm({
    values: { publicUrl: settings.publicUrl ?? '' },
    submit: ({ publicUrl }) =>
      api.patch('/v1/projects/{projectId}', {
        path: { projectId },
        body: { settings: { publicUrl: publicUrl.trim() || null } },
      }),
    onDone: async (changed) => {
      form.reset({ publicUrl: changed.settings.publicUrl ?? '' });
      await refresh();
      notify(changed.settings.publicUrl === null ? 'Public URL removed' : 'Public URL saved');
    },
  });
  return (
    <Card
      title="Public URL"
      about="For a site that your website serves, such as www.acme.example/docs."
      isPadded
    >
      <Form form={form} action="Save" isSettings>
        <TextField
          label="Address"
          hint="Links, search engines and the assistant use it. Empty: the first hostname, or the default address."
          type="url"
          placeholder="https://www.acme.example/docs"
          {...form.field('publicUrl')}
        />
      </Form>
      {settings.publicUrl !== null && (
        <ProxyRules publicUrl={settings.publicUrl} defaultUrl={defaultUrl} />
      )}
    </Card>
  );
}

/** What the proxy of the website has to do, written for nginx. */
function ProxyRules({ publicUrl, defaultUrl }: { publicUrl: string; defaultUrl: string }) {
  const { pathname, hostname } = new URL(publicUrl);
  const target = new URL(defaultUrl);
  // Without a sites domain, the site has no host name of its own.
  if (target.pathname !== '/')
    return (
      <p className="mt-4 text-s text-muted">
        Let the proxy of your website forward requests with their host name, and add {hostname} as a
        hostname above.
      </p>
    );
  const location = pathname === '/' ? '/' : `~ ^${pathname.replaceAll('.', '[.]')}(?:/|$)`;
  const rules = [
    `proxy_pass ${target.origin};`,
    `proxy_set_header Host ${target.host};`,
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    'proxy_http_version 1.1;',
    ...(target.protocol === 'https:' ? ['proxy_ssl_server_name on;'] : []),
  ];
  return (
    <div className="mt-4">
      <p className="mb-2 text-s text-muted">
        Let the proxy of your website forward these requests and keep their path. In nginx:
      </p>
      <CodeBlock
        label="Copy configuration"
        code={`location ${location} {\n${rules.map((rule) => `  ${rule}`).join('\n')}\n}`}
      />
    </div>
  );
}
