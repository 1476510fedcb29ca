import { deleteOptionsRef, listRef, objectRef, patchRef, statusRef, watchEventRef } from './definitions.ts'
import type { Described } from './described.ts'
import type { OpenApiOperation } from './operations.ts'
import type { Definitions, JsonNode } from './schema-json.ts'

/** The part of an operation that is the same in both dialects. */
export function operationHead(operation: OpenApiOperation, { group, kind, version }: Described): JsonNode {
  return {
    description: operation.description,
    tags: [operation.tag],
    operationId: operation.id,
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': { group, kind, version },
  }
}

export function bodyRef(
  body: NonNullable<OpenApiOperation['body']>,
  described: Described,
  definitions: Definitions,
): JsonNode {
  switch (body) {
    case 'object':
      return objectRef(described, definitions)
    case 'patch':
      return patchRef(definitions)
    case 'delete-options':
      return deleteOptionsRef(definitions)
  }
}

export function answerRef(
  answer: OpenApiOperation['answer'],
  described: Described,
  definitions: Definitions,
): JsonNode {
  switch (answer) {
    case 'object':
      return objectRef(described, definitions)
    case 'list':
      watchEventRef(definitions)
      return listRef(described, definitions)
    case 'status':
      return statusRef(definitions)
  }
}

/** The patch types that a kind accepts. */
export function patchTypes({ stored }: Described): readonly string[] {
  const types = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']
  return stored?.flavor === 'builtin' ? [...types, 'application/strategic-merge-patch+json'] : types
}

export const answerTypes: readonly string[] = ['application/json', 'application/yaml']

export const codeTexts: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [401, 'Unauthorized'],
])

export const documentInfo = { title: 'Tenant Platform', version: 'unversioned' } as const

export function sorted(entries: Iterable<readonly [string, unknown]>): JsonNode {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}
