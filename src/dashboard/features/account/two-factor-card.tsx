import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { send } from '../../api/client.ts';
import { useSession } from '../../api/current.ts';
import { sessionQuery } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyField } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';
import { Status } from '../../ui/values.tsx';

interface Secrets {
  totpURI: string;
  backupCodes: string[];
}

/** Turns two-factor authentication on and off: an authenticator app, with recovery codes. */
export function TwoFactorCard() {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const isOn = user.twoFactorEnabled;
  return (
    <Card
      title="Two-factor authentication"
      about="A code from an authenticator app, in addition to the password."
      action={<Button onClick={() => setOpen(true)}>{isOn ? 'Switch off' : 'Set up'}</Button>}
      isPadded
    >
      <Status tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</Status>
      <Dialog
        title={isOn ? 'Turn off two-factor authentication' : 'Set up two-factor authentication'}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {isOn ? <SwitchOff onDone={() => setOpen(false)} /> : <SetUp onDone={() => setOpen(false)} />}
      </Dialog>
    </Card>
  );
}

function PasswordForm<Result>({ path, action, onDone }: { path: string; action: string; onDone: (result: Result) => void }) {
  const form = useApiForm({
    values: { password: '' },
    submit: (values) => send<Result>('POST', path, values),
    onDone,
  });
  return (
    <Form form={form} action={action}>
      <TextField label="Password" type="password" autoComplete="current-password" required {...form.field('password')} />
    </Form>
  );
}

function SwitchOff({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient();
  const done = async () => {
    await queries.invalidateQueries(sessionQuery);
    notify('Two-factor authentication is off');
    onDone();
  };
  return <PasswordForm path="/v1/auth/two-factor/disable" action="Switch off" onDone={done} />;
}

function SetUp({ onDone }: { onDone: () => void }) {
  const [secrets, setSecrets] = useState<Secrets>();
  if (!secrets) return <PasswordForm path="/v1/auth/two-factor/enable" action="Continue" onDone={setSecrets} />;
  return <Confirm secrets={secrets} onDone={onDone} />;
}

function Confirm({ secrets, onDone }: { secrets: Secrets; onDone: () => void }) {
  const queries = useQueryClient();
  const form = useApiForm({
    values: { code: '' },
    submit: ({ code }) => send('POST', '/v1/auth/two-factor/verify-totp', { code: code.trim() }),
    onDone: async () => {
      await queries.invalidateQueries(sessionQuery);
      notify('Two-factor authentication is on');
      onDone();
    },
  });
  const key = new URL(secrets.totpURI).searchParams.get('secret') ?? '';
  return (
    <Form form={form} action="Switch on">
      <p className="text-muted">
        Scan this code with your authenticator app, enter the key, or{' '}
        <a href={secrets.totpURI} className="text-accent-text underline">
          open it in the app
        </a>
        .
      </p>
      <QrCode text={secrets.totpURI} label="QR code with the key" />
      <CopyField value={key} label="Key" isSelected />
      <div>
        <p className="mb-1.5 text-s font-medium">Recovery codes</p>
        <p className="mb-2 text-s text-muted">
          Each works once, without the app. They are shown only once; store them with your passwords.
        </p>
        <CodeBlock code={secrets.backupCodes.join('\n')} label="Copy recovery codes" />
      </div>
      <TextField label="Code from the app" inputMode="numeric" autoComplete="one-time-code" required {...form.field('code')} />
    </Form>
  );
}

/** A QR code: dark on light in either color scheme, as scanners expect it (ISO/IEC 18004). */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-44 self-center rounded-md bg-white text-black"
    >
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}
