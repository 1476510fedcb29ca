import { normalForm } from '../../api/facts/normal-form.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'

const blanks = new Map<string, KubeObject>()

/**
 * What a new object is compared with. An empty object of a builtin kind still shows some members, such as the `null` of
 * a Pod's containers; filling them gives no manager the list itself.
 */
export function blankOf(kind: Kind): KubeObject | undefined {
  const { protobufMessage: message } = kind
  if (message === undefined) return undefined
  const known = blanks.get(message)
  if (known !== undefined) return known
  const blank = normalForm(message, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: {} })
  blanks.set(message, blank)
  return blank
}
