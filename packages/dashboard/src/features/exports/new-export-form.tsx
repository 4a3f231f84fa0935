import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { refresh, type Site } from '../../api/queries.ts';
import type { Choice } from '../../ui/choices-field.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { linesOf } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { PagesField } from './pages-field.tsx';

/** Starts an export, by default of the whole site. What the site does not have is not asked for. */
export function NewExportForm({
  site,
  onStarted,
}: {
  site: Site;
  onStarted: (jobId: string) => void;
}) {
  const { projectId } = site;
  const { data } = useQuery({
    queryKey: ['pages', projectId, 'labels'],
    queryFn: () =>
      api.get('/v1/projects/{projectId}/pages', { path: { projectId }, query: { limit: 1 } }),
  });
  const form = useApiForm({
    values: {
      version: '',
      language: '',
      paths: [] as Choice[],
      basePath: '',
      assistantUrl: '',
      audience: 'public',
      groups: '',
      omittedLinks: 'live',
      archive: 'tar.gz',
    },
    submit: ({ paths, audience, groups, omittedLinks, archive, ...texts }) => {
      const filledTexts = Object.fromEntries(
        Object.entries(texts).filter(([, text]) => text.trim() !== ''),
      );
      const body = {
        domain: site.slug,
        omittedLinks: omittedLinks as 'live' | 'text',
        ...(audience === 'all' && { audience: 'all' as const }),
        ...(audience === 'groups' && { audience: { groups: linesOf(groups) } }),
        archive: archive as 'tar.gz' | 'tar.zst',
        ...filledTexts,
        ...(paths.length > 0 && { paths: paths.map(({ id }) => id) }),
      };
      return api.post('/v1/static-export/jobs', { body });
    },
    onDone: async ({ jobId }) => {
      await refresh();
      onStarted(jobId);
    },
  });
  const { versions = [], languages = [] } = data ?? {};
  const [version, language, paths, audience] = form.watch([
    'version',
    'language',
    'paths',
    'audience',
  ]);
  const isPart = version !== '' || language !== '' || paths.length > 0;
  const namesOf = (labels: readonly string[]) =>
    Object.fromEntries(labels.map((label) => [label, label]));
  return (
    <Form form={form} action="Start export">
      <p className="text-muted">By default, the bundle contains the whole site.</p>
      {(versions.length > 0 || languages.length > 0) && (
        <div className="grid gap-4 sm:grid-cols-2">
          {versions.length > 0 && (
            <SelectField
              label="Version"
              none="All versions"
              options={namesOf(versions)}
              {...form.field('version')}
            />
          )}
          {languages.length > 0 && (
            <SelectField
              label="Language"
              none="All languages"
              options={namesOf(languages)}
              {...form.field('language')}
            />
          )}
        </div>
      )}
      <PagesField
        projectId={projectId}
        filters={{ ...(version !== '' && { version }), ...(language !== '' && { language }) }}
        value={paths}
        onChange={(pages) => {
          form.clearErrors('paths');
          form.setValue('paths', pages, { shouldDirty: true });
        }}
        error={form.field('paths').error}
      />
      <SelectField
        label="Pages for"
        hint="A bundle is files: whoever has them can read them."
        options={{
          public: 'Everybody',
          groups: 'Readers of some groups',
          all: 'All readers, with pages for some groups only',
        }}
        {...form.field('audience')}
      />
      {audience === 'groups' && (
        <TextAreaField
          label="Groups"
          rows={2}
          required
          placeholder="partners"
          hint="One per line. The bundle has the pages that every reader may read, and those for these groups."
          {...form.field('groups')}
        />
      )}
      <TextField
        label="Base path"
        placeholder="/docs"
        hint="Path at which the bundle will be served. Empty: the root of a domain."
        {...form.field('basePath')}
      />
      <TextField
        label="Assistant"
        placeholder={window.location.origin}
        hint="Address of the assistant API for the pages of the bundle. Empty: the bundle has no assistant."
        {...form.field('assistantUrl')}
      />
      <SelectField
        label="Archive"
        options={{ 'tar.gz': '.tar.gz', 'tar.zst': '.tar.zst, smaller' }}
        {...form.field('archive')}
      />
      {isPart && (
        <SelectField
          label="Links to pages that are not exported"
          options={{ live: 'Lead to the live site', text: 'Become plain text' }}
          {...form.field('omittedLinks')}
        />
      )}
    </Form>
  );
}
