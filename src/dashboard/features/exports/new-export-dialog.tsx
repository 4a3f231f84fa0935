import { useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { type Site, useOrganisation } from '../../api/current.ts';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { linesOf } from '../../ui/format.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { exportsQuery } from './exports-query.ts';

interface NewExportProps {
  site: Site;
  isOpen: boolean;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}

/** Starts an export, by default of the whole site. */
export function NewExportDialog({ site, isOpen, onClose, onStarted }: NewExportProps) {
  return (
    <Dialog title="Start export" isOpen={isOpen} onClose={onClose}>
      <NewExportForm site={site} onStarted={onStarted} />
    </Dialog>
  );
}

function NewExportForm({ site, onStarted }: Pick<NewExportProps, 'site' | 'onStarted'>) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const form = useApiForm({
    values: { version: '', language: '', paths: '', basePath: '', assistantUrl: '', omittedLinks: 'live' },
    submit: ({ paths, omittedLinks, ...texts }) => {
      const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));
      const list = linesOf(paths);
      const body = {
        domain: site.slug,
        omittedLinks: omittedLinks as 'live' | 'text',
        ...given,
        ...(list.length > 0 && { paths: list }),
      };
      return bodyOf(api.POST('/v1/static-export/jobs', { body }));
    },
    onDone: async ({ jobId }) => {
      await queries.invalidateQueries(exportsQuery(org, site.slug));
      onStarted(jobId);
    },
  });
  return (
    <Form form={form} action="Start export">
      <p className="text-muted">By default, the bundle contains the whole site.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Version" placeholder="all" {...form.field('version')} />
        <TextField label="Language" placeholder="all" {...form.field('language')} />
      </div>
      <TextAreaField
        label="Pages"
        placeholder="/guides/start"
        hint="Paths of the pages to export, one per line. Empty: all pages."
        {...form.field('paths')}
      />
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
      <SelectField label="Links to pages that are not exported" {...form.field('omittedLinks')}>
        <option value="live">link to the live site</option>
        <option value="text">become plain text</option>
      </SelectField>
    </Form>
  );
}
