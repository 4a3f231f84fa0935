import type * as z from 'zod';
import type { NamedActor } from '../access/named-actors.ts';
import * as field from './described.ts';

/** Who created something that gives access. */
export const makerSchema = field.orNull(
  field.resource('Maker', 'Who created something, or took it over from a member who left.', {
    kind: field.choice(
      ['person', 'key', 'operator', 'directory'],
      '`operator`: a command on the server; `directory`: what SCIM sent.',
    ),
    id: field.text.orNull('Identifier of the person or the key; `null` for the others.'),
    name: field.text.orNull(
      'Name of the person or the key; `null` for the others, and if the account was deleted.',
    ),
  }),
  'Who created it, or took it over from a member who left; `null` if that was not recorded.',
);

export const makerExample = {
  kind: 'person' as const,
  id: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
  name: 'Ada Lovelace',
};

export function makerView(maker: NamedActor | null): z.infer<typeof makerSchema> {
  if (maker === null) return null;
  const { actorId: id, personName, keyName } = maker;
  if (id === 'operator' || id === 'directory') return { kind: id, id: null, name: null };
  // Keys are kept, so one without a name is a person whose account was deleted.
  return { kind: keyName === null ? 'person' : 'key', id, name: personName ?? keyName };
}
