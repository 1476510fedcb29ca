import { badRequest } from '../../api/error.ts'
import { jsonTypeName } from '../../api/human/go-print.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'

/**
 * RFC 7386 for a document that is an object: null deletes, lists are replaced. The document is not modified. As in
 * Kubernetes, null also deletes in objects of a new list.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (isJsonObject(patch)) return merged(document, patch)
  const target = 'value of type map[string]interface {}'
  throw badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go ${target}`)
}

function merged(target: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return patch.map((item) => merged(undefined, item))
  if (!isJsonObject(patch)) return patch
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {}
  for (const name of Object.keys(patch)) {
    const value = patch[name]
    if (value === null) delete result[name]
    else setMember(result, name, merged(Object.hasOwn(result, name) ? result[name] : undefined, value))
  }
  return result
}
