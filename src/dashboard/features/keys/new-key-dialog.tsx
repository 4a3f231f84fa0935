import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { type Site, useOrganisation } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyField } from '../../ui/copy.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { linesOf } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { type ApiKey, keysQuery, type NewApiKey } from './keys-query.ts';

interface NewKeyProps {
  kind: ApiKey['kind'];
  site: Site | undefined;
}

/** Creates a key and shows it once. */
export function NewKeyDialog({ isOpen, onClose, ...props }: NewKeyProps & { isOpen: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<NewApiKey>();
  const close = () => {
    setCreated(undefined);
    onClose();
  };
  return (
    <Dialog title={created ? 'Copy the key now' : 'Create key'} isOpen={isOpen} onClose={close}>
      {created ? <CreatedKey created={created} onClose={close} /> : <NewKeyForm {...props} onCreated={setCreated} />}
    </Dialog>
  );
}

const KINDS = {
  assistant:
    'An assistant key (svc_dsc_…) is public: you can use it in the code of a web page. It can ask the assistant, search, and read pages of this site, and nothing else.',
  admin: 'An admin key (svc_…) is secret: keep it on servers and in CI secrets. It works for every site of the organization.',
} as const;

const SCOPES = { read: 'Read', write: 'Read and change', keys: 'Manage keys and members' } as const;

function NewKeyForm({ kind, site, onCreated }: NewKeyProps & { onCreated: (key: NewApiKey) => void }) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const form = useApiForm({
    values: { name: '', expiresInDays: '90', scopes: [] as string[], ipAllowlist: '', originAllowlist: '' },
    submit: ({ name, expiresInDays, scopes, ipAllowlist, originAllowlist }) =>
      bodyOf(
        api.POST('/v1/keys', {
          body: {
            kind,
            name,
            expiresInDays: expiresInDays === 'never' ? null : (Number(expiresInDays) as 7 | 30 | 60 | 90),
            ipAllowlist: linesOf(ipAllowlist),
            originAllowlist: linesOf(originAllowlist),
            ...(kind === 'admin' ? { scopes: scopes as ('read' | 'write' | 'keys')[] } : { site: site?.slug ?? '' }),
          },
        }),
      ),
    onDone: (key) => {
      onCreated(key);
      return queries.invalidateQueries(keysQuery(org));
    },
  });
  return (
    <Form form={form} action="Create key">
      <Notice>{KINDS[kind]}</Notice>
      <TextField
        label="Name"
        placeholder={kind === 'assistant' ? 'Website chat' : 'Pipeline'}
        hint="A name that identifies the key."
        required
        maxLength={100}
        {...form.field('name')}
      />
      <SelectField label="Expires" {...form.field('expiresInDays')}>
        {[7, 30, 60, 90].map((days) => (
          <option key={days} value={days}>
            in {days} days
          </option>
        ))}
        <option value="never">never</option>
      </SelectField>
      {kind === 'admin' && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-s font-medium">Scopes</legend>
          {Object.entries(SCOPES).map(([scope, label]) => (
            <CheckField key={scope} label={label} value={scope} {...form.field('scopes')} />
          ))}
          <p className="text-s text-muted">With none of them, it may do everything that you may.</p>
        </fieldset>
      )}
      {kind === 'assistant' && (
        <TextAreaField
          label="Origins"
          rows={2}
          placeholder="https://www.example.com"
          hint="Web origins whose pages may use the key, one per line. Empty: every origin."
          {...form.field('originAllowlist')}
        />
      )}
      <TextAreaField
        label="IP addresses"
        rows={2}
        placeholder="203.0.113.0/24"
        hint="Addresses and ranges that may use the key, one per line. Empty: every address."
        {...form.field('ipAllowlist')}
      />
    </Form>
  );
}

function CreatedKey({ created, onClose }: { created: NewApiKey; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">It is shown only once. Store it where your program can read it, for example as a CI secret.</p>
      <CopyField value={created.key} label="Key" isSelected />
      <div>
        <p className="mb-1.5 text-s font-medium">Try it</p>
        <CodeBlock code={commandFor(created)} label="Copy command" />
      </div>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** A command that works as is. */
function commandFor({ kind, key, site }: NewApiKey): string {
  const origin = window.location.origin;
  if (kind === 'admin') return `curl ${origin}/v1/projects \\\n  -H 'Authorization: Bearer ${key}'`;
  const body = { fp: 'anonymous', messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I start?' }] }] };
  return `curl -N ${origin}/discovery/v2/assistant/${site}/message \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;
}
