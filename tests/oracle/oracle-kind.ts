import { readFileSync } from 'node:fs'
import type { Kind } from '../../src/api/kind.ts'
import { kindSchema } from '../../src/api/metadata/kind-schema.ts'
import type { Schema } from '../../src/api/schema.ts'

/** The custom resource of the recorded answers, as a plain kind: its schema, without any behavior. */
export function oracleKind(): Kind {
  const recorded: { readonly properties: Readonly<Record<string, Schema>> } = JSON.parse(
    readFileSync(new URL('data/schema.json', import.meta.url), 'utf8'),
  )
  const gvk = { group: 'management.example.com', version: 'v1', kind: 'OwnedAccessKey' }
  return {
    ...gvk,
    plural: 'ownedaccesskeys',
    singular: 'ownedaccesskey',
    namespaced: false,
    flavor: 'custom',
    schema: kindSchema(gvk, 'A plain kind.', recorded.properties),
    nameRule: 'dns-subdomain',
    hasStatus: true,
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    deleteAnswer: 'status',
    strategy: {},
  }
}
