import SCIMMY from 'scimmy';
import { createUlid, isUlid } from '../kernel/ids.ts';
import { emailAddress } from '../kernel/operations/fields.ts';
import { storableText } from '../kernel/storable-text.ts';
import type { DirectoryNames } from '../ports/people/directory-tables.ts';
import {
  changeGroup,
  type ProvisionDeps,
  removeGroup,
  removePerson,
  type Sender,
  savePerson,
} from './provision.ts';
import {
  countPeople,
  findNamesake,
  type Group,
  listGroups,
  listGroupsOf,
  listPeople,
  type Person,
} from './queries.ts';
import type { Kind } from './scim-forms.ts';

/** A request of a directory, while the library handles it. */
export interface ScimContext {
  deps: ProvisionDeps;
  sender: Sender;
  /** The group that a PATCH begins with. */
  group?: Group;
  /** What a handler threw: the library turns some errors into others. */
  fault?: unknown;
}

type Attributes = Record<string, unknown>;
interface Target {
  id?: string;
  filter?: { [name: string]: unknown }[];
}

/** What one organization may send; reading all of it takes that much memory. */
const MAX_PEOPLE = 20_000;
const MAX_GROUPS = 2000;

const {
  User,
  Group: GroupResource,
  ServiceProviderConfig,
  Schema,
  ResourceType,
} = SCIMMY.Resources;
const ScimError = SCIMMY.Types.Error;

SCIMMY.Config.set({
  patch: true,
  filter: { supported: true, maxResults: 200 },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'The token of the directory.' },
  ],
} as Parameters<typeof SCIMMY.Config.set>[0]);
SCIMMY.Resources.declare(
  User as never,
  {
    ingress: keepingFault(writePerson),
    egress: (target: Target, context: ScimContext) => keepingFault(readPeople)(target, {}, context),
    degress: (target: Target, context: ScimContext) =>
      keepingFault(dropPerson)(target, {}, context),
  } as never,
);
SCIMMY.Resources.declare(
  GroupResource as never,
  {
    ingress: keepingFault(writeGroup),
    egress: (target: Target, context: ScimContext) => keepingFault(readGroups)(target, {}, context),
    degress: (target: Target, context: ScimContext) => keepingFault(dropGroup)(target, {}, context),
  } as never,
);

/** The resources of SCIM that directories read and write, by the names of their addresses. */
export const resources: Record<Kind, typeof User> = {
  Users: User,
  Groups: GroupResource as unknown as typeof User,
};

/** The resources that describe what is supported, by the names of their addresses. */
export const descriptions = { ServiceProviderConfig, Schemas: Schema, ResourceTypes: ResourceType };

/** Returns an error in the form of SCIM (RFC 7644, 3.12). */
export function scimError(status: number, scimType: string | undefined, detail: string): object {
  const error = new ScimError(status, scimType as string, detail);
  return new SCIMMY.Messages.Error(error as never);
}

/** Returns the status, the keyword and the text of an error of the library, if it is one. */
export function readScimError(
  error: unknown,
): { status: number; scimType: string | undefined; detail: string } | undefined {
  if (!(error instanceof ScimError)) return undefined;
  const { status, scimType, message } = error as InstanceType<typeof ScimError>;
  return { status, scimType: scimType ?? undefined, detail: message };
}

const choiceOf = ({ sender }: Pick<ScimContext, 'sender'>) => ({
  organizationId: sender.actor.organizationId,
});

type Handler<Result> = (target: Target, sent: Attributes, context: ScimContext) => Promise<Result>;

function keepingFault<Result>(handle: Handler<Result>): Handler<Result> {
  return (target, sent, context) =>
    handle(target, sent, context).catch((error: unknown) => {
      context.fault = error;
      throw error;
    });
}

async function dropPerson({ id }: Target, _: Attributes, { deps, sender }: ScimContext) {
  await removePerson(deps, sender, await personOf(deps, sender, id));
}

async function dropGroup({ id }: Target, _: Attributes, { deps, sender }: ScimContext) {
  await removeGroup(deps, sender, await groupOf(deps, sender, id));
}

async function personOf(deps: ProvisionDeps, sender: Sender, id = ''): Promise<Person> {
  const [person] = isUlid(id)
    ? await listPeople(deps.database.queries, { ...choiceOf({ sender }), id })
    : [];
  return person ?? refuse(404, undefined, 'The directory has sent no such person.');
}

async function groupOf(deps: ProvisionDeps, sender: Sender, id = ''): Promise<Group> {
  const [group] = isUlid(id)
    ? await listGroups(deps.database.queries, { ...choiceOf({ sender }), id })
    : [];
  return group ?? refuse(404, undefined, 'The directory has sent no such group.');
}

async function readPeople({ id, filter }: Target, _: Attributes, { deps, sender }: ScimContext) {
  const { queries } = deps.database;
  const name = soughtName(filter, 'userName');
  const people = id
    ? [await personOf(deps, sender, id)]
    : await listPeople(queries, { ...choiceOf({ sender }), name });
  const groups = Map.groupBy(
    id || name !== undefined
      ? await listGroupsOf(
          queries,
          people.map((person) => person.id),
        )
      : [],
    ({ personId }) => personId,
  );
  const views = people.map((person) => personView(person, groups.get(person.id)));
  return id ? views[0] : views;
}

async function writePerson(
  { id }: Target,
  sent: Attributes,
  { deps, sender }: ScimContext,
): Promise<Attributes> {
  const { organizationId } = choiceOf({ sender });
  const { queries } = deps.database;
  const before = id ? await personOf(deps, sender, id) : undefined;
  const userName = textOf(sent.userName, 300) ?? refuse(400, 'invalidValue', 'userName is empty.');
  const email = emailOf(sent, userName, before);
  const same = await findNamesake(queries, { organizationId, id, userName, email });
  if (same) refuse(409, 'uniqueness', `${same.userName} has this name or email address already.`);
  if (!before && (await countPeople(queries, organizationId)) >= MAX_PEOPLE)
    refuse(403, undefined, `A directory sends at most ${MAX_PEOPLE} people.`);
  const now = deps.clock.now();
  const person: Person = {
    id: before?.id ?? createUlid(now),
    organizationId,
    userId: before?.userId ?? null,
    userName,
    externalId: textOf(sent.externalId, 300) ?? null,
    email,
    active: typeof sent.active === 'boolean' ? sent.active : (before?.active ?? true),
    names: namesOf(sent),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  await savePerson(deps, sender, person, before);
  return personView(person, await listGroupsOf(queries, [person.id]));
}

/**
 * The address of a person: the primary one, or their name. One that followed the name does so when
 * the directory changes the name alone.
 */
function emailOf(sent: Attributes, userName: string, before: Person | undefined): string {
  const emails = (Array.isArray(sent.emails) ? sent.emails : []) as Attributes[];
  const chosen = emails.find(({ primary }) => primary === true) ?? emails[0];
  const value = typeof chosen?.value === 'string' ? chosen.value.toLowerCase() : undefined;
  const followsName = before !== undefined && before.email === before.userName.toLowerCase();
  const address = value === undefined || (followsName && value === before.email) ? userName : value;
  const email = emailAddress.safeParse(address.toLowerCase());
  return email.success
    ? email.data
    : refuse(400, 'invalidValue', 'A person needs an email address: in emails, or as userName.');
}

function namesOf({ displayName, name }: Attributes): DirectoryNames {
  const parts = Object.entries((name ?? {}) as Attributes).flatMap(([part, value]) => {
    const text = textOf(value, 200);
    return ['formatted', 'givenName', 'familyName'].includes(part) && text ? [[part, text]] : [];
  });
  const display = textOf(displayName, 200);
  return {
    ...(display && { displayName: display }),
    ...(parts.length > 0 && { name: Object.fromEntries(parts) }),
  };
}

function personView(
  { id, userName, externalId, email, active, names, createdAt, updatedAt }: Person,
  groups: readonly { id: string; name: string }[] = [],
): Attributes {
  return {
    id,
    ...(externalId !== null && { externalId }),
    userName,
    ...names,
    active,
    emails: [{ value: email, type: 'work', primary: true }],
    groups: groups.map(({ id: value, name: display }) => ({ value, display })),
    meta: { created: createdAt, lastModified: updatedAt },
  };
}

async function readGroups({ id, filter }: Target, _: Attributes, context: ScimContext) {
  const { deps, sender } = context;
  if (!id) {
    const choice = { ...choiceOf({ sender }), name: soughtName(filter, 'displayName') };
    return (await listGroups(deps.database.queries, choice)).map(groupView);
  }
  context.group = await groupOf(deps, sender, id);
  return groupView(context.group);
}

async function writeGroup(
  { id }: Target,
  sent: Attributes,
  { deps, sender, group: read }: ScimContext,
): Promise<Attributes> {
  const before = id ? (read ?? (await groupOf(deps, sender, id))) : undefined;
  const choice = choiceOf({ sender });
  if (!before && (await listGroups(deps.database.queries, choice)).length >= MAX_GROUPS)
    refuse(403, undefined, `A directory sends at most ${MAX_GROUPS} groups.`);
  const members = (Array.isArray(sent.members) ? sent.members : []) as Attributes[];
  const now = deps.clock.now();
  const group: Group = {
    id: before?.id ?? createUlid(now),
    ...choice,
    name: textOf(sent.displayName, 300) ?? refuse(400, 'invalidValue', 'displayName is empty.'),
    externalId: textOf(sent.externalId, 300) ?? null,
    personIds: members.flatMap(({ value }) => textOf(value, 30) ?? []),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  await changeGroup(deps, sender, group, before);
  return groupView(await groupOf(deps, sender, group.id));
}

function groupView({ id, name, externalId, personIds, createdAt, updatedAt }: Group): Attributes {
  return {
    id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    members: personIds.map((value) => ({ value })),
    meta: { created: createdAt, lastModified: updatedAt },
  };
}

/** The name that a filter asks for, if it asks for nothing else: looked up rather than compared. */
function soughtName(filter: Target['filter'], attribute: string): string | undefined {
  const [terms, ...others] = filter ?? [];
  const [term, ...more] = Object.entries(terms ?? {});
  if (!term || others.length > 0 || more.length > 0 || term[0] !== attribute) return undefined;
  const [operator, value] = Array.isArray(term[1]) ? (term[1] as unknown[]) : [];
  return operator === 'eq' && typeof value === 'string' ? storableText(value) : undefined;
}

function textOf(value: unknown, maxCharacters: number): string | undefined {
  const text = typeof value === 'string' ? storableText(value).trim().slice(0, maxCharacters) : '';
  return text === '' ? undefined : text;
}

function refuse(status: number, scimType: string | undefined, detail: string): never {
  throw new ScimError(status, scimType as string, detail);
}
