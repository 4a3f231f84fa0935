import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import manifest from '../../../../../package.json' with { type: 'json' };
import { finishDocument } from './finish-document.ts';

const description = `Publish documentation, ask it questions, search it, and export it as static files.

**Keys.** Send a key with every request: \`Authorization: Bearer <key>\`. An *assistant key* (\`svc_dsc_…\`) belongs to one site,
asks and searches it, and may be public. An *admin key* (\`svc_…\`) belongs to an organization and manages its sites; keep it on
servers.

**Sessions.** Browsers that are signed in send a cookie instead of an admin key, to the origin of the platform alone. What such a
session may do is decided by the role of its member. \`Docent-Organization: <identifier>\` says which organization is meant; without
it, the first one of the person.

**Errors.** Every error is a problem document (RFC 9457) with a stable \`code\`. \`GET /errors/{code}\` explains it.

**Compatibility.** New optional fields and new members of answers may be added at any time; ignore what you do not know.`;

const tags = [
  {
    name: 'Assistant',
    description: 'Ask a site a question; the answer streams, with its sources.',
  },
  { name: 'Search', description: 'Find the pages of a site, and read one as Markdown.' },
  { name: 'Static export', description: 'Export a site as one archive of static files.' },
  {
    name: 'Deployments',
    description: 'Follow, promote, roll back, cancel, pin and delete deployments.',
  },
  { name: 'Git', description: 'Publish from a Git repository.' },
  { name: 'Webhooks', description: 'Send events of the organization to a URL.' },
  { name: 'Previews', description: 'Publish a branch at its own address, before it is live.' },
  {
    name: 'Projects',
    description: 'Create sites, publish their source, and change the settings of their assistant.',
  },
  {
    name: 'Readers',
    description: 'Who may read a site, how readers sign in, and who is signed in.',
  },
  {
    name: 'Analytics',
    description: 'What readers asked, the outcomes of the answers, and their ratings.',
  },
  {
    name: 'Accounts',
    description: 'Sign in and out, and manage your own account and its sessions.',
  },
  { name: 'Organization', description: 'The organization, its members and invitations.' },
  { name: 'Keys', description: 'Create, list and revoke API keys.' },
  { name: 'Audit log', description: 'Who changed what in the organization, and what was refused.' },
  { name: 'Platform', description: 'Health of the server, for load balancers and monitors.' },
];

/**
 * Options that generate the OpenAPI document from the declarations of the routes.
 * @param publicUrl server address in the document
 */
export function openApiOptions(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent API',
        version: manifest.version,
        summary: 'Publish, search, ask and export documentation.',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [
        {
          url: '{address}',
          description: 'Your Docent.',
          variables: {
            address: {
              default: publicUrl,
              description: 'Address of the server (`DOCENT_PUBLIC_URL`).',
            },
          },
        },
      ],
      tags,
      components: {
        securitySchemes: {
          adminKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An admin key, `svc_…`. It belongs to an organization. Keep it on servers.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'docent.session',
            description:
              'The session of a signed-in person; over https the cookie is `__Host-docent.session`. Changes need the `Origin` of the platform.',
          },
          assistantKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An assistant key, `svc_dsc_…`. It belongs to one site and may be used in client-side code.',
          },
        },
      },
    },
    // Operations have a tag; pages and files do not.
    hideUntagged: true,
    transform: jsonSchemaTransform,
    transformObject: (generated) =>
      finishDocument(jsonSchemaTransformObject(generated)) as unknown as ReturnType<
        typeof jsonSchemaTransformObject
      >,
  };
}
