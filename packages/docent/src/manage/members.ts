import { ROLES } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { Option } from 'commander';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import { apiPath, type Commands, readAll, withQuery } from '../kernel/commands.ts';
import { dayOf, formatTable, makerName, type Output, onOrOff } from '../kernel/output.ts';

interface RoleOptions {
  role: string;
}
interface EndOptions {
  keepAccess?: boolean;
}

/** `docent members …` */
export function addMemberCommands({ program, addForOrganization }: Commands): void {
  const members = program.command('members').description('The members of an organization');
  const addHere = (usage: string, description: string) =>
    addForOrganization(members, usage, description);
  const role = () =>
    new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory();
  addHere('list', 'List the members').run(async (api, output) => {
    const memberList = await readMembers(api);
    const rows = memberList.map((member) => [
      member.userId,
      member.email,
      member.role,
      onOrOff(member.twoFactorEnabled),
      member.createdAt.slice(0, 10),
      member.name,
    ]);
    output.result(formatTable([['ID', 'EMAIL', 'ROLE', 'TWO-FACTOR', 'SINCE', 'NAME'], ...rows]), {
      members: memberList,
    });
  });
  addHere('invite <email>', 'Print an invitation link to the organization')
    .addOption(role())
    .run(async (api, output, email: string, { role }: RoleOptions) => {
      const path = '/v1/organization/invitations';
      const created = await api.post<{ url: string }>(path, { email, role });
      output.result(
        created.url,
        created,
        `Send the link to ${email}; it works once, within seven days.`,
      );
    });
  addHere('role <email>', 'Change the role of a member')
    .addOption(role())
    .option(...KEEP_ACCESS)
    .run(async (api, output, email: string, { role, keepAccess }: RoleOptions & EndOptions) => {
      const path = await memberPath(api, email);
      const memberAccess = await readGivenAccess(api, withQuery(`${path}/access`, { role }));
      await api.patch(path, { role, access: keepAccess ? 'keep' : 'revoke' });
      output.result(
        `${email} is ${role} now.`,
        { email, role, ...memberAccess },
        givenNote(memberAccess, keepAccess),
      );
    });
  addHere(
    'remove <email>',
    'End a membership, and revoke the keys and open invitations that the person created',
  )
    .option(...KEEP_ACCESS)
    .run(async (api, output, email: string, { keepAccess }: EndOptions) => {
      const path = await memberPath(api, email);
      const memberAccess = await readGivenAccess(api, `${path}/access`);
      const access = keepAccess ? 'keep' : 'revoke';
      await api.delete(withQuery(path, { access }));
      output.result(
        `${email} is no longer a member.`,
        { email, removed: true, ...memberAccess },
        givenNote(memberAccess, keepAccess),
      );
    });
  addHere(
    'sign-out <email>',
    'Sign a member out everywhere, for example after a device was stolen',
  ).run((api, output, email: string) => signOutMember(api, output, email));
  addHere('invitations', 'List the open invitations').run(async (api, output) => {
    const open = await readInvitations(api);
    const rows = open.map(({ email, role, createdBy, expiresAt }) => [
      email,
      role,
      makerName(createdBy),
      dayOf(expiresAt),
    ]);
    output.result(formatTable([['EMAIL', 'ROLE', 'INVITED BY', 'EXPIRES'], ...rows]), {
      invitations: open,
    });
  });
  addHere('uninvite <email>', 'Revoke an open invitation').run(
    async (api, output, email: string) => {
      const invitation = (await readInvitations(api)).find(
        (openInvitation) => openInvitation.email === email.toLowerCase(),
      );
      if (!invitation)
        throw new DocentError('invitation_not_found', `There is no open invitation of "${email}".`);
      await api.delete(apiPath`/v1/organization/invitations/${invitation.id}`);
      output.result(`The invitation of ${email} is revoked.`, { email, revoked: true });
    },
  );
}

/** `docent members sign-out` */
export async function signOutMember(api: ApiClient, output: Output, email: string): Promise<void> {
  const path = await memberPath(api, email);
  await api.delete(`${path}/sessions`);
  output.result(`${email} is signed out everywhere.`, { email, signedOut: true });
}

const KEEP_ACCESS = [
  '--keep-access',
  'keep the keys and open invitations that the person created; you answer for them from now on',
] as const;

function readGivenAccess(api: ApiClient, path: string): Promise<Schema<'MemberAccess'>> {
  return api.get(path);
}

/** What became of the access that a member gave. */
function givenNote(
  { keys, invitations, streams }: Schema<'MemberAccess'>,
  isKept = false,
): string | undefined {
  const ended = [
    ...keys.map(({ name }) => `the key ${name}`),
    ...invitations.map(({ email }) => `the invitation of ${email}`),
  ];
  const taken = streams.map(({ name, site }) => `the stream ${name} of ${site}`);
  const lines = [
    ended.length > 0 ? `${isKept ? 'You took over' : 'Revoked'} ${ended.join(', ')}.` : '',
    taken.length > 0 ? `You took over ${taken.join(', ')}.` : '',
  ];
  return lines.filter((line) => line !== '').join(' ') || undefined;
}

function readInvitations(api: ApiClient): Promise<Schema<'Invitation'>[]> {
  return readAll(api, '/v1/organization/invitations');
}

function readMembers(api: ApiClient): Promise<Schema<'Member'>[]> {
  return readAll(api, '/v1/organization/members');
}

async function memberPath(api: ApiClient, user: string): Promise<string> {
  const members = await readMembers(api);
  const member = members.find(
    ({ userId, email }) => userId === user || email === user.toLowerCase(),
  );
  if (!member)
    throw new DocentError('member_not_found', `The organization has no member "${user}".`);
  return `/v1/organization/members/${member.userId}`;
}
