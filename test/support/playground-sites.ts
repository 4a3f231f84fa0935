import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './start-docent.ts';

const page = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', example: 'Ada' } },
};

/**
 * Writes a site whose calls go through its server: an API that does not allow other origins, an
 * authorization server, and a channel, at these ports.
 */
export async function proxiedSite(api: number, oauth: number, socket: number): Promise<string> {
  const at = `http://127.0.0.1:${oauth}`;
  const flows = {
    authorizationCode: {
      authorizationUrl: `${at}/authorize`,
      tokenUrl: `${at}/token`,
      scopes: { 'pets:read': '', 'pets:write': '' },
    },
    clientCredentials: { tokenUrl: `${at}/token`, scopes: { 'pets:read': '' } },
  };
  const body = { required: true, content: { 'application/json': { schema: page } } };
  return writeSite({
    api: {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      servers: [{ url: `http://127.0.0.1:${api}` }],
      components: {
        securitySchemes: {
          oauth: { type: 'oauth2', flows },
          session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        },
      },
      paths: {
        '/closed/pets': {
          post: {
            summary: 'Add a pet',
            requestBody: body,
            security: [{ oauth: ['pets:read'] }, { session: [] }],
            responses: {},
          },
        },
      },
    },
    settings: { playground: { proxy: true } },
    pages: ['POST /closed/pets', 'chat'],
    channels: chatApi(socket),
  });
}

function chatApi(port: number): object {
  const message = (payload: object) => ({ payload: { type: 'object' }, examples: [{ payload }] });
  return {
    asyncapi: '3.0.0',
    info: { title: 'Chat', version: '1' },
    servers: { here: { host: `127.0.0.1:${port}`, protocol: 'ws' } },
    channels: {
      chat: {
        title: 'Chat',
        address: '/rooms/{room}',
        parameters: { room: { enum: ['red', 'blue'], default: 'blue' } },
        bindings: {
          ws: {
            query: { type: 'object', properties: { limit: { type: 'integer', default: 5 } } },
            headers: {
              type: 'object',
              properties: { 'Sec-WebSocket-Protocol': { type: 'string', default: 'chat.v1' } },
            },
          },
        },
        messages: {
          say: message({ text: 'Hi' }),
          leave: message({ bye: true }),
          said: message({ by: 'Ada' }),
        },
      },
    },
    operations: {
      say: {
        action: 'receive',
        channel: { $ref: '#/channels/chat' },
        messages: [
          { $ref: '#/channels/chat/messages/say' },
          { $ref: '#/channels/chat/messages/leave' },
        ],
      },
      said: {
        action: 'send',
        channel: { $ref: '#/channels/chat' },
        messages: [{ $ref: '#/channels/chat/messages/said' }],
      },
    },
  };
}

async function writeSite(site: {
  api: object;
  channels: object;
  settings: object;
  pages: string[];
}): Promise<string> {
  const folder = await temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const settings = {
    theme: 'mint',
    name: 'Pets',
    colors: { primary: '#0d7a5f' },
    api: { ...site.settings, asyncapi: 'asyncapi.json' },
    navigation: { openapi: 'openapi.json', pages: ['index', ...site.pages] },
  };
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(settings));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(site.api));
  writeFileSync(join(folder, 'asyncapi.json'), JSON.stringify(site.channels));
  writeFileSync(
    join(folder, 'chat.mdx'),
    '---\ntitle: Chat\nasyncapi: "asyncapi.json chat"\n---\n',
  );
  writeFileSync(join(folder, 'index.mdx'), '---\ntitle: Start\n---\n\nHello.\n');
  return folder;
}
