import { kindMessageSchema } from '../core/message-schema.ts'
import type { Kind } from '../kind.ts'
import { kindSchema } from '../metadata/kind-schema.ts'
import { boolean, integer, list, object, string, strings, time } from '../schema-builder.ts'

/** Kinds for the tests of this folder. */

const common = {
  namespaced: true,
  nameRule: 'dns-subdomain',
  hasStatus: false,
  hasGeneration: false,
  allowsUnconditionalUpdate: true,
  allowsCreateOnUpdate: false,
  deleteAnswer: 'status',
  strategy: {},
} as const

export function builtinKind(group: string, kind: string, message: string): Kind {
  const plural = `${kind.toLowerCase()}s`
  return {
    ...common,
    group,
    version: 'v1',
    kind,
    plural,
    singular: kind.toLowerCase(),
    flavor: 'builtin',
    protobufMessage: message,
    schema: kindMessageSchema(message),
  }
}

export const configMaps = builtinKind('', 'ConfigMap', 'k8s.io.api.core.v1.ConfigMap')
export const secrets = builtinKind('', 'Secret', 'k8s.io.api.core.v1.Secret')
export const services = builtinKind('', 'Service', 'k8s.io.api.core.v1.Service')
export const pods = builtinKind('', 'Pod', 'k8s.io.api.core.v1.Pod')
export const leases = builtinKind('coordination.k8s.io', 'Lease', 'k8s.io.api.coordination.v1.Lease')

/** The custom resource of the recorded answers, with a few stricter members. */
export const accessKeys: Kind = {
  ...common,
  group: 'management.example.com',
  version: 'v1',
  kind: 'OwnedAccessKey',
  plural: 'ownedaccesskeys',
  singular: 'ownedaccesskey',
  namespaced: false,
  flavor: 'custom',
  hasStatus: true,
  schema: kindSchema({ group: 'management.example.com', version: 'v1', kind: 'OwnedAccessKey' }, 'A key.', {
    spec: object('What is wanted.', {
      user: string('Whose key it is.'),
      ttl: integer('Seconds.', { minimum: 0, maximum: 1000 }),
      disabled: boolean('Whether it is refused.'),
      type: string('Kind of key.', { enum: ['User', 'Login'], default: 'User' }),
      groups: { ...strings('Groups.'), listType: 'set' },
      scope: object(
        'What it may do.',
        {
          roles: list('Roles.', object('A role.', { role: string('Name.', { minLength: 1, maxLength: 5 }) })),
        },
        { required: ['roles'] },
      ),
    }),
    status: object('What is seen.', { lastActivity: time('When it was used.') }),
  }),
}
