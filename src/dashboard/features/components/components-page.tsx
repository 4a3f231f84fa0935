import { useState } from 'react';
import { BarList } from '../../ui/bar-list.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeBlock, CopyField, CopyText } from '../../ui/copy.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { CheckField, SearchField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, EmptyState, ErrorState, Page, Skeleton } from '../../ui/page.tsx';
import { Table, TableSkeleton } from '../../ui/table.tsx';
import { notify, notifyFailure } from '../../ui/toast.tsx';
import { Badge, Progress, RelativeTime, Status } from '../../ui/values.tsx';

const NOW = new Date().toISOString();
const ROWS = [
  { name: 'Website chat', used: NOW, calls: 1204 },
  { name: 'A key with a name that is so long that it has to be cut somewhere', used: null, calls: 0 },
];

const BARS = [
  { name: 'example.com', value: 97 },
  { name: 'a-host-with-a-name-that-is-so-long-that-it-has-to-be-cut.example.net', detail: 'Firefox', value: 12 },
];
const DAYS = Array.from({ length: 30 }, (_, index) => ({
  day: new Date(Date.UTC(2026, 10, index + 1)).toISOString().slice(0, 10),
  human: (index * 37) % 90,
  ai: (index * 11) % 25,
}));

/** Every component in every state. Only in development. */
export function ComponentsPage() {
  const [opened, setOpened] = useState<'confirm' | 'sheet'>();
  const close = () => setOpened(undefined);
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-8 px-6 py-10">
      <Page title="Components" about="Every component in every state" action={<Button variant="primary">Create key</Button>}>
        <div className="flex flex-col gap-8">
          <Card title="Buttons" isPadded>
            <div className="flex flex-wrap gap-2">
              {(['primary', 'secondary', 'ghost', 'danger'] as const).map((variant) => (
                <Button key={variant} variant={variant} icon="plus">
                  {variant}
                </Button>
              ))}
              <Button isBusy>Busy</Button>
              <Button size="sm">Small</Button>
              <IconButton label="Copy" icon="copy" />
              <Menu trigger={<Button icon="ellipsis">Menu</Button>}>
                <MenuItem icon="copy" isCurrent onSelect={() => notify('Copied')}>
                  Copy
                </MenuItem>
                <MenuSeparator />
                <MenuItem icon="trash" isDanger onSelect={() => setOpened('confirm')}>
                  Delete
                </MenuItem>
              </Menu>
              <Button onClick={() => notify('Rolled back', () => notify('Undone'))}>Toast with undo</Button>
              <Button onClick={() => notifyFailure('The key was not created', new Error('The limit is reached.'))}>
                Toast of a failure
              </Button>
              <Button onClick={() => setOpened('sheet')}>Sheet</Button>
            </div>
          </Card>
          <Card title="Fields" isPadded>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField label="Name" placeholder="Website chat" hint="A name to recognize the key by." />
              <TextField label="Address" defaultValue="x" error="Must be an origin such as https://app.example.com." />
              <SelectField label="Expires">
                <option>90 days</option>
              </SelectField>
              <TextAreaField label="Origins" />
              <CheckField label="Enabled" hint="Whether the assistant answers." defaultChecked />
              <SearchField label="Search keys" />
              <CopyField label="Key" value="svc_dsc_2mVxQ8sT4nB7cD1fG5hJ9kL3pR6wY0zAh7Kq" />
              <CopyText label="Copy id" value="01K9Z4C8M2R7X5V1B3N6P9Q0ST" />
            </div>
          </Card>
          <div className="flex flex-wrap items-center gap-5">
            <Status tone="success">Live</Status>
            <Status tone="warning">Pending</Status>
            <Status tone="danger">Failed</Status>
            <Status tone="active">Building</Status>
            <Status tone="neutral">Queued</Status>
            <Badge>read</Badge>
            <Badge tone="accent">public</Badge>
            <Badge tone="warning">expires soon</Badge>
            <Badge tone="danger">revoked</Badge>
          </div>
          <Progress label="Export" percent={42} />
          <Notice>Neutral.</Notice>
          <Notice tone="warning">Anybody who has this key can use it.</Notice>
          <Notice tone="danger">The e-mail or the password is wrong.</Notice>
          <Table
            label="Keys"
            rows={ROWS}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Last used', cell: ({ used }) => <RelativeTime at={used} /> },
              { title: 'Calls', cell: ({ calls }) => calls.toLocaleString('en'), isNumber: true },
            ]}
          />
          <BarList label="Sources" head={['Host', 'Visitors']} rows={BARS} />
          <DayChart label="Views by day" days={DAYS} />
          <TableSkeleton rows={2} />
          <Skeleton />
          <CodeBlock label="Copy command" code="docent publish docs --site acme" />
          <ErrorState error={new Error('The server cannot be reached.')} onRetry={() => undefined} />
          <EmptyState icon="key-round" title="Create the first key" action={<Button variant="primary">Create key</Button>}>
            Programs and web pages use keys to ask the assistant.
          </EmptyState>
        </div>
      </Page>
      <ConfirmDialog
        title="Delete acme"
        action="Delete site"
        typed="acme"
        isOpen={opened === 'confirm'}
        onClose={close}
        onConfirm={close}
      >
        This deletes the site and everything in it. It cannot be undone.
      </ConfirmDialog>
      <Sheet title="Details" isOpen={opened === 'sheet'} onClose={close}>
        <div className="p-5">
          <Skeleton />
        </div>
      </Sheet>
    </main>
  );
}
