import type { Credential } from '../../api/access.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject } from '../../api/schema-builder.ts'
import { timestamp } from '../../base/clock.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { presentedUser } from '../../server/reviews/user-info.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { ownerFieldsOf } from '../access-keys/record/access-key.ts'
import { owningCallerOf } from '../owners/caller.ts'

/** `POST …/selves`: the caller as the platform knows them, and the key in use. */
export function self({ kind, directory, index, settings: { maxLifetimeSeconds } }: KeyParts): ReviewResource {
  const gvk = { group: kind.group, version: kind.version, kind: 'Self' }
  return {
    ...gvk,
    plural: 'selves',
    singular: 'self',
    namespaced: false,
    schema: kindSchema(gvk, 'The caller, as the platform knows them.', {
      spec: anyObject('Nothing is asked for.'),
      status: anyObject('The user or team, its groups, the access key in use with its end, and what limits all keys.'),
    }),
    review: (_, { user }) => {
      const { self: owner, own } = owningCallerOf(user, directory, index)
      const teams = own.flatMap(({ kind: each, name }) => (each === 'team' ? [name] : []))
      return answered(gvk, {
        status: {
          ...ownerFieldsOf(owner),
          teams,
          userInfo: presentedUser(user),
          ...(user.credential === undefined ? {} : { accessKey: keyInUse(user.credential, index) }),
          ...(maxLifetimeSeconds === 0 ? {} : { limits: { maxKeyLifetimeSeconds: maxLifetimeSeconds } }),
        },
      })
    },
  }
}

function keyInUse({ keyName, keyUid, keyId, scope, startedWith }: Credential, index: KeyParts['index']) {
  const endMs = index.expiresAtMs(keyUid)
  return {
    name: keyName,
    keyId,
    ...(endMs === undefined ? {} : { expiresAt: timestamp(endMs) }),
    ...(scope === undefined ? {} : { scope: scope.source }),
    ...(startedWith === undefined ? {} : { startedWith: startedWith.keyName }),
  }
}
