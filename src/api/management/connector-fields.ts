import type { Schema } from '../schema.ts'
import { object, string } from '../schema-builder.ts'

/** Fields that connectors of every type have. */

export const caBundle = string(
  'Certificates (PEM) of the authorities that the provider is trusted by. Empty: those of the system.',
)
export const usernamePrefix = string('Put before the name of every user.')
export const groupsPrefix = string('Put before the name of every group.')

export function secretReference(description: string, entry: string): Schema {
  return object(description, {
    name: string('Name of the Secret.'),
    namespace: string('Namespace of the Secret. Empty: `tenant-platform`.'),
    key: string(`Entry of the Secret. Empty: \`${entry}\`.`),
  })
}
