import type { Role } from '@docent/format/access/may.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { useOrganization } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useAction } from '../../ui/overlays/notify.ts';
import { Loaded } from '../../ui/page.tsx';

type Member = Schema<'Member'>;

/** A member who is to leave, or to get a lower role. */
export interface Ending {
  member: Member;
  /** Their role afterwards; `null` if they leave. */
  role: Role | null;
}

/**
 * Shows the access that a member gave and that ends with their role, and asks whether it should.
 */
export function EndAccessDialog({
  ending,
  onClose,
}: {
  ending: Ending | undefined;
  onClose: () => void;
}) {
  const [shown, setShown] = useState(ending);
  if (ending && ending !== shown) setShown(ending);
  const title =
    shown &&
    (shown.role === null
      ? `Remove ${shown.member.name}`
      : `Make ${shown.member.name} ${shown.role}`);
  return (
    <Dialog title={title ?? ''} isOpen={ending !== undefined} onClose={onClose}>
      {shown && (
        <EndAccessForm
          key={`${shown.member.userId} ${shown.role}`}
          ending={shown}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function EndAccessForm({
  ending: { member, role },
  onClose,
}: {
  ending: Ending;
  onClose: () => void;
}) {
  const { slug: org } = useOrganization();
  const [isKept, setKept] = useState(false);
  const path = { userId: member.userId };
  const query = useQuery({
    queryKey: [org, 'members', member.userId, 'access', role],
    queryFn: () =>
      api.get('/v1/organization/members/{userId}/access', {
        path,
        query: role === null ? {} : { role },
      }),
    staleTime: 0,
  });
  const access = isKept ? 'keep' : 'revoke';
  const end = useAction({
    run: async () => {
      await (role === null
        ? api.delete('/v1/organization/members/{userId}', { path, query: { access } })
        : api.patch('/v1/organization/members/{userId}', { path, body: { role, access } }));
      onClose();
    },
    done: role === null ? 'Member removed' : 'Role changed',
    failed: role === null ? 'The member could not be removed' : 'The role could not be changed',
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        end.mutate();
      }}
    >
      <p className="text-muted">
        {role === null
          ? 'They lose access immediately. Their account stays.'
          : 'They lose what the lower role does not include, immediately.'}
      </p>
      <Loaded query={query}>
        {(memberAccess) => (
          <GivenAccess given={memberAccess} name={member.name} isKept={isKept} onKeep={setKept} />
        )}
      </Loaded>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="danger"
          type="submit"
          isBusy={end.isPending}
          disabled={query.data === undefined}
        >
          {role === null ? 'Remove member' : 'Change role'}
        </Button>
      </div>
    </form>
  );
}

interface GivenProps {
  given: Schema<'MemberAccess'>;
  name: string;
  isKept: boolean;
  onKeep: (isKept: boolean) => void;
}

/** What ends, and what the one who asks takes over. */
function GivenAccess({ given: { keys, invitations, streams }, name, isKept, onKeep }: GivenProps) {
  const ends = [
    ...keys.map((key) => ({ id: key.id, text: `Key ${key.name} (${key.masked})` })),
    ...invitations.map(({ id, email }) => ({ id, text: `Invitation of ${email}` })),
  ];
  return (
    <>
      {ends.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="font-medium">
            {isKept
              ? 'You answer for these from now on:'
              : `These are revoked, because ${name} created them:`}
          </p>
          <ItemList items={ends} />
          <CheckField
            label="Keep them"
            hint="Whoever has them keeps their access, although the person who gave it is gone."
            checked={isKept}
            onChange={(event) => onKeep(event.target.checked)}
          />
        </div>
      )}
      {streams.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="font-medium">
            You take over these streams of analytics. Check where they send:
          </p>
          <ItemList
            items={streams.map(({ id, name: stream, site }) => ({
              id,
              text: `${stream} of ${site}`,
            }))}
          />
        </div>
      )}
    </>
  );
}

function ItemList({ items }: { items: readonly { id: string; text: string }[] }) {
  return (
    <ul className="max-h-48 list-disc overflow-auto pl-5 text-s">
      {items.map(({ id, text }) => (
        <li key={id} className="break-all">
          {text}
        </li>
      ))}
    </ul>
  );
}
