import type { Attributes, Decision, PathAttributes, ResourceAttributes } from './access.ts'
import { type ApiError, forbidden, forbiddenPath, refusedBy } from './error.ts'
import { quoted } from './human/go-syntax.ts'
import { roleMissing } from './link.ts'
import type { StatusDetails } from './types/meta-v1.ts'

/** The refusal of a request that no authorizer allowed, in the words of kube-apiserver. */
export function forbiddenFor(attributes: Attributes, decision: Decision): ApiError {
  const layer = (decision.verdict === 'deny' ? decision.layer : undefined) ?? 'rbac'
  return refusedBy(layer, refusalOf(attributes, decision))
}

function refusalOf(attributes: Attributes, decision: Decision): ApiError {
  const because = decision.reason === '' ? '' : `: ${decision.reason}`
  if ('path' in attributes) return forbiddenPath(`forbidden: ${pathText(attributes)}${because}`)
  const resource = { plural: attributes.resource, group: attributes.group }
  return forbidden(resource, attributes.name, `${resourceText(attributes)}${because}`, detailsOf(decision))
}

/** Lets programs distinguish a key without the required role from a lack of rights. */
function detailsOf(decision: Decision): StatusDetails {
  if (decision.verdict !== 'deny' || decision.layer !== 'role') return {}
  return { causes: [{ reason: roleMissing, message: decision.reason }] }
}

function pathText({ user, verb, path }: PathAttributes): string {
  return `User ${quoted(user.name)} cannot ${verb} path ${quoted(path)}`
}

function resourceText({ user, verb, group, resource, subresource, namespace }: ResourceAttributes): string {
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`
  return `User ${quoted(user.name)} cannot ${verb} resource ${quoted(what)} in API group ${quoted(group)} ${where}`
}
