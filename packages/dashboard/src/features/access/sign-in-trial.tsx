import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { useAction } from '../../ui/overlays/notify.ts';
import { Notice } from '../../ui/page.tsx';
import { Facts, RelativeTime } from '../../ui/values.tsx';
import { METHODS } from './method-forms.tsx';

const SESSIONS = '/v1/projects/{projectId}/reader-sessions';
const POLL_MS = 2000;
const LATEST = 10;

/** Opens the sign-in in another tab, and shows here who signed in since, as the site knows them. */
export function SignInTrial({ addresses }: Pick<Schema<'SiteAccess'>, 'addresses'>) {
  const { projectId } = useSite();
  const [earlier, setEarlier] = useState<ReadonlySet<string>>();
  const read = async () => {
    const params = { path: { projectId }, query: { limit: LATEST } };
    return (await api.get(SESSIONS, params)).items;
  };
  const begin = useAction({
    run: async () => {
      // Before the wait, because browsers open tabs for clicks only.
      window.open(addresses.login, '_blank', 'noopener');
      setEarlier(new Set((await read()).map(({ id }) => id)));
    },
    failed: 'The sessions could not be read',
  });
  const query = useQuery({
    queryKey: ['sign-in-trial', projectId],
    queryFn: read,
    enabled: earlier !== undefined,
    refetchInterval: POLL_MS,
  });
  const sessions = earlier && query.data?.filter(({ id }) => !earlier.has(id));
  return (
    <div className="mt-3 flex flex-col items-start gap-3 text-s">
      <Button onClick={() => begin.mutate()}>Try the sign-in</Button>
      {sessions?.length === 0 && (
        <p className="text-muted">
          Sign in in the other tab. If it fails, that tab says why. If it opens the site at once,
          you are signed in there: <a href={addresses.logout}>sign out</a> first.
        </p>
      )}
      {sessions?.map(({ id, name, method, groups, expiresAt }) => (
        <Notice key={id} tone="success">
          <Facts
            facts={{
              Reader: name ?? 'Without a name',
              'Signed in with': method === 'view' ? 'View as a reader' : METHODS[method].title,
              Groups: groups.join(', ') || 'None',
              Ends: <RelativeTime at={expiresAt} />,
            }}
          />
        </Notice>
      ))}
    </div>
  );
}
