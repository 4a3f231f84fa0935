import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import manifest from '../../package.json' with { type: 'json' };

/** The OpenAPI document is made from what the routes declare. */
export function openApiOptions(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent API',
        version: manifest.version,
        description: 'Publish documentation, ask it, and export it.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          adminKey: { type: 'http', scheme: 'bearer', description: 'An admin key, `svc_…`. For servers only.' },
          assistantKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An assistant key, `svc_dsc_…`. May stand in client-side code.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  };
}
