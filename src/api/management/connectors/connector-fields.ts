import type { Schema } from '../../schema.ts'
import { object, string } from '../../schema-builder.ts'

/** Fields that connectors of every type have. */

export const caBundle = string(
  'Certificates (PEM) of the authorities that the certificate of the provider is verified with. If empty, those of the system.',
)
export const usernamePrefix = string('Prefix for the name of every user.')
export const groupsPrefix = string('Prefix for the name of every group.')

export function secretReference(description: string, entry: string): Schema {
  return object(description, {
    name: string('Name of the Secret.'),
    namespace: string('Namespace of the Secret. If empty, `tenant-platform`.'),
    key: string(`Entry of the Secret. Empty: \`${entry}\`.`),
  })
}
