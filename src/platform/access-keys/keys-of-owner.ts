import { notFound } from '../../api/error.ts'
import type { KeyOwner } from '../../auth/keys/contract.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { visibilityFor } from '../../registry/visibility.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { Response } from '../../server/http.ts'
import { jsonResponse } from '../../server/responses.ts'
import { isSameOwner, ownerOf, specOf } from './access-key.ts'

const kinds = { users: 'user', teams: 'team' } as const

/** `GET …/users/NAME/accesskeys` and `…/teams/NAME/accesskeys`: the keys of one owner, for administrators. */
export function keysOfOwner(keys: () => ResourceContext, ownerKind: (plural: string) => ResourceContext): ExtraRoute {
  return ({ info }) => {
    if (info.form !== 'resource' || info.subresource !== 'accesskeys' || info.hasRest || info.verb !== 'get') return
    const { group, resource, pathName } = info
    if (group !== keys().kind.group || (resource !== 'users' && resource !== 'teams')) return
    const owner: KeyOwner = { kind: kinds[resource], name: pathName }
    return (exchange) => listed(keys(), ownerKind(resource), owner, exchange)
  }
}

async function listed(
  keys: ResourceContext,
  owners: ResourceContext,
  owner: KeyOwner,
  { user }: Exchange,
): Promise<Response> {
  if (owners.cache.get({ namespace: '', name: owner.name }) === undefined) throw notFound(owners.kind, owner.name)
  const visibility = await visibilityFor(keys, user)
  const text = Buffer.from(JSON.stringify(owner.name))
  const accessKeys = [...keys.cache.current().values()]
    .filter((document) => document.itemJson.includes(text) && visibility?.sees(document) !== false)
    .map((document) => document.object)
    .filter((object) => isSameOwner(ownerOf(specOf(object)), owner))
  const { group, version } = keys.kind
  const kind = owner.kind === 'user' ? 'UserAccessKeys' : 'TeamAccessKeys'
  return jsonResponse(200, { kind, apiVersion: `${group}/${version}`, metadata: { name: owner.name }, accessKeys })
}
