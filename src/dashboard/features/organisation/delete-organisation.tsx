import { api, type Schema } from '../../api/client.ts';
import { DeleteCard } from '../../ui/delete-card.tsx';

/** Deletes an organization with everything in it. */
export function DeleteOrganisation({ organisation: { name, slug } }: { organisation: Schema<'Organisation'> }) {
  const remove = async () => {
    await api.DELETE('/v1/organisation', { params: { query: { confirm: slug } } });
    // None of its data may stay in memory, so the page is reloaded.
    window.location.assign('/dashboard');
  };
  return (
    <DeleteCard kind="organization" name={name} identifier={slug} remove={remove}>
      Sites, deployments, exports, conversations, keys, memberships and the audit log are deleted with it. People keep their
      accounts. You cannot undo this.
    </DeleteCard>
  );
}
