import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, messageOf, type Schema } from '../../api/client.ts';
import { refresh, useOrganization } from '../../api/queries.ts';
import { AnchorButton } from '../../ui/button.tsx';
import { Card, Notice, Page, Skeleton } from '../../ui/page.tsx';
import { pendingApp, sendForm } from './github-form.ts';

/** Where the form of a GitHub App leaves the dashboard, and where GitHub comes back to. */
export function GitHubAppPage() {
  const { slug: org } = useOrganization();
  const { host, code, state, setup_action: setup } = useSearch({ strict: false });
  const [app, setApp] = useState<Schema<'GitHubApp'>>();
  const [fault, setFault] = useState<string>();
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    if (code && state)
      api
        .post('/v1/github-apps/complete', { body: { code, state } })
        .then(async (created) => {
          setApp(created);
          await refresh();
        })
        .catch((error: unknown) => setFault(messageOf(error)));
    else if (host && !sendForm(host)) setFault('Nothing is to be created here; start again.');
  }, [host, code, state]);
  return (
    <Page title="GitHub App" about="Lets the server read repositories, and report to pull requests">
      <Card isPadded>
        <div className="flex flex-col items-start gap-4">
          {fault !== undefined && <Notice tone="warning">{fault}</Notice>}
          {app && (
            <>
              <p>{app.name} is created. Choose the repositories that it may read.</p>
              <AnchorButton variant="primary" href={app.installUrl}>
                Install at GitHub
              </AnchorButton>
            </>
          )}
          {setup !== undefined && <p>The app is installed.</p>}
          {fault === undefined && !app && setup === undefined && <Skeleton lines={2} />}
          <GoOn org={org} />
        </div>
      </Card>
    </Page>
  );
}

function GoOn({ org }: { org: string }) {
  const [back, setBack] = useState<string>();
  useEffect(() => setBack(pendingApp()?.back), []);
  if (back?.startsWith(`/dashboard/${org}/`))
    return (
      <a href={back} className="text-s underline">
        Continue where you were
      </a>
    );
  return (
    <Link to="/$org/settings/general" params={{ org }} className="text-s underline">
      GitHub Apps of the organization
    </Link>
  );
}
