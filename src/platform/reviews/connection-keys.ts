import { invalid } from '../../api/error.ts'
import { type FieldError, invalidField, requiredField } from '../../api/field-error.ts'
import { connectionKeySeconds } from '../../api/management/connection-key-seconds.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import type { KubeObject } from '../../api/object.ts'
import { integer, object, string, time } from '../../api/schema-builder.ts'
import { validateEntryName } from '../../auth/scope/entry-name.ts'
import { timestamp } from '../../base/clock.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { type ConnectionScope, keyInUse, makeConnectionKey } from '../sessions/connection-key.ts'

const defaultSeconds = 15 * 60
const { shortest: shortestSeconds, longest: longestSeconds } = connectionKeySeconds

/**
 * `POST …/connectionkeys`: a short-lived key for one virtual cluster, for programs such as kubectl. Whether the caller
 * may use the virtual cluster is checked when the key is used: it grants nothing that the key in use does not.
 */
export function connectionKeys(parts: KeyParts, keys: () => ResourceContext): ReviewResource {
  const { group, version } = parts.kind
  const gvk = { group, version, kind: 'ConnectionKey' }
  return {
    ...gvk,
    plural: 'connectionkeys',
    singular: 'connectionkey',
    namespaced: false,
    schema: kindSchema(gvk, 'A short-lived access key for one virtual cluster, made with the key in use.', {
      spec: object('What it is for.', {
        project: string('Name of the project.'),
        virtualCluster: string('Name of the virtual cluster.'),
        ttlSeconds: integer(
          `How long the key lives: between ${shortestSeconds} and ${longestSeconds}. 0 or absent: ${defaultSeconds}.`,
        ),
      }),
      status: object('The key.', {
        key: string('The value of the key. It is shown once.'),
        keyName: string('Name of its OwnedAccessKey.'),
        expiresAt: time('When it ends, unless the key in use ends before.'),
        leftSeconds: integer('How long that is from now on, for clients whose clock is another.'),
      }),
    }),
    review: async (input, { user, dryRun }) => {
      const connection = connectionOf(input, gvk)
      if (dryRun) {
        keyInUse(user, parts)
        return answered(gvk, { spec: connection, status: {} })
      }
      const { name: keyName, value: key, endMs } = await makeConnectionKey(parts, keys(), user, connection)
      const leftSeconds = Math.max(0, Math.floor((endMs - parts.clock.now()) / 1000))
      return answered(gvk, { spec: connection, status: { key, keyName, expiresAt: timestamp(endMs), leftSeconds } })
    },
  }
}

function connectionOf({ spec }: KubeObject, kind: { readonly kind: string; readonly group: string }): ConnectionScope {
  const { project, virtualCluster, ttlSeconds } = asMembers(spec)
  const seconds = typeof ttlSeconds === 'number' && ttlSeconds !== 0 ? ttlSeconds : defaultSeconds
  const errors = [
    ...nameErrors('spec.project', project),
    ...nameErrors('spec.virtualCluster', virtualCluster),
    ...(seconds >= shortestSeconds && seconds <= longestSeconds
      ? []
      : [invalidField('spec.ttlSeconds', seconds, `must be between ${shortestSeconds} and ${longestSeconds}`)]),
  ]
  if (errors.length > 0) throw invalid(kind, '', errors)
  return { project: String(project), virtualCluster: String(virtualCluster), ttlSeconds: seconds }
}

/** The key must be for one virtual cluster, so the wildcard of scopes is refused. */
function nameErrors(field: string, name: unknown): readonly FieldError[] {
  if (typeof name !== 'string' || name === '') return [requiredField(field)]
  if (name === '*') return [invalidField(field, name, 'must name one')]
  return validateEntryName(field, name)
}
