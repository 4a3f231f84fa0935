import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/problem.ts';
import { openProvider, type Session } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/**
 * A button for each identity provider.
 * @param callbackURL page of the dashboard to return to
 */
export function SsoButtons({ session, callbackURL }: { session: Session; callbackURL: string }) {
  const start = useMutation({ mutationFn: (provider: string) => openProvider('sign-in/social', provider, callbackURL) });
  return (
    <>
      {start.error && <Notice tone="danger">{messageOf(start.error)}</Notice>}
      {session.signIn.sso.map(({ id, name }) => (
        <Button key={id} icon="shield-check" isBusy={start.isPending} onClick={() => start.mutate(id)}>
          Continue with {name}
        </Button>
      ))}
    </>
  );
}
