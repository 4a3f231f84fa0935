import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Schema } from '../kernel/api-client.ts';
import type { Commands } from '../kernel/commands.ts';
import { dayOf, formatTable } from '../kernel/output.ts';

interface SamlOptions {
  email?: string;
  groups?: string;
}
interface OidcOptions {
  issuer: string;
  client: string;
  secretStdin?: true;
  groups?: string;
  emailDomain?: string[];
  trustEmail?: true;
}
interface AddressOptions {
  ip?: string[];
  keys?: true;
}

const PATH = '/v1/organization/sign-in';

/** `docent sign-in …` */
export function addSignInCommands({ program, addForOrganization }: Commands): void {
  const parent = program
    .command('sign-in')
    .description('The identity provider with which people of an organization sign in');
  addForOrganization(parent, 'show', 'Show the provider, and the addresses that it needs').run(
    async (api, output) => {
      const signIn = await api.get<SignIn>(PATH);
      output.result(textOf(signIn), signIn);
    },
  );
  const addChange = <Args extends unknown[]>(
    usage: string,
    description: string,
    bodyOf: (...args: Args) => object | Promise<object>,
  ) => {
    const command = addForOrganization(parent, usage, description);
    command.run(async (api, output, ...args: Args) => {
      const signIn = await api.patch<SignIn>(PATH, await bodyOf(...args));
      output.result(textOf(signIn), signIn);
    });
    return command;
  };
  addChange('saml <metadata>', 'Set a provider of SAML by a file with its metadata', readSaml)
    .option('--email <attribute>', 'attribute with the email address, if it has no usual name')
    .option('--groups <attribute>', 'attribute with the groups, which give roles');
  addChange('oidc', 'Set a provider of OpenID Connect', readOidc)
    .requiredOption('--issuer <address>', 'address of the provider, as its discovery names it')
    .requiredOption('--client <id>', 'id of the client that you registered there')
    .option('--secret-stdin', 'read the secret of the client from standard input')
    .option('--groups <claim>', 'claim with the groups, which give roles')
    .option('--email-domain <domain...>', 'domains of email addresses that are let in')
    .option('--trust-email', 'also addresses that the provider does not call verified');
  addChange('remove', 'No longer use the provider; its sessions end', () => ({
    saml: null,
    oidc: null,
  }));
  addChange('require', 'Let members in through the provider alone', () => ({ required: true }));
  addChange('allow-accounts', 'Let members in with their accounts again', () => ({
    required: false,
  }));
  addChange(
    'addresses',
    'Let members in from these addresses only; without --ip, from every address',
    readAddresses,
  )
    .option('--ip <address...>', 'addresses or CIDR ranges, IPv4 and IPv6')
    .option('--keys', 'admin keys come from there alone, too');
}

type SignIn = Schema<'OrganizationSignIn'>;

function readAddresses({ ip, keys }: AddressOptions): object {
  return { allowedAddresses: ip ?? [], limitsKeys: keys ?? false };
}

async function readSaml(file: string, { email, groups }: SamlOptions): Promise<object> {
  const metadata = await readFile(file, 'utf8');
  const saml = { metadata, emailAttribute: email ?? null, groupsAttribute: groups ?? null };
  return { saml, oidc: null };
}

async function readOidc(options: OidcOptions): Promise<object> {
  const { issuer, client, secretStdin, groups, emailDomain, trustEmail } = options;
  const clientSecret = secretStdin && (await text(process.stdin)).replace(/\r?\n$/, '');
  const oidc = {
    issuer,
    clientId: client,
    ...(clientSecret !== undefined && { clientSecret }),
    groupsClaim: groups ?? null,
    emailDomains: emailDomain ?? [],
    trustsEmail: trustEmail ?? false,
  };
  return { oidc, saml: null };
}

function textOf({
  saml,
  oidc,
  required,
  allowedAddresses: addresses,
  limitsKeys,
  signInUrl,
  callbackUrl,
  metadataUrl,
  redirectUrl,
}: SignIn): string {
  return formatTable([
    ['Provider', saml?.entityId ?? (oidc ? `${oidc.issuer}, client ${oidc.clientId}` : 'none')],
    ...(saml ? [['Certificates until', dayOf(saml.certificatesEndAt)]] : []),
    ['Required', required ? 'yes' : 'no'],
    ['Allowed addresses', addresses.join(', ') || 'all'],
    ...(limitsKeys ? [['Admin keys', 'from allowed addresses only']] : []),
    ['Sign-in', signInUrl],
    ['SAML: reply URL (ACS)', callbackUrl],
    ['SAML: entity id, metadata', metadataUrl],
    ['OpenID Connect: redirect URI', redirectUrl],
  ]);
}
