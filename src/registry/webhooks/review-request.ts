import type { UserInfo } from '../../api/access.ts'
import type { JsonObject } from '../../api/object.ts'
import { printJson } from '../../base/json/print.ts'
import { Pace } from '../../base/pace.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import type { AdmissionAttributes, ShownKind } from './contract.ts'

/** The objects of a request as JSON; `null` if absent. */
export interface ShownTexts {
  readonly object: string
  readonly oldObject: string
}

/** Printed once for all webhooks that are shown the same kind: otherwise each would get a copy. */
export type TextsFor = (shown: ShownKind) => Promise<ShownTexts>

export function shownTexts(attributes: AdmissionAttributes): TextsFor {
  const known = new Map<ShownKind['kind'], Promise<ShownTexts>>()
  return (shown) => {
    const texts = known.get(shown.kind) ?? writtenTexts(attributes, shown)
    known.set(shown.kind, texts)
    return texts
  }
}

async function writtenTexts({ object, old }: AdmissionAttributes, shown: ShownKind): Promise<ShownTexts> {
  const pace = new Pace()
  const text = object === undefined ? 'null' : printJson(await shown.show(object))
  await pace.step()
  return { object: text, oldObject: old === undefined ? 'null' : printJson(await shown.show(old)) }
}

/** The request to a webhook, as JSON. The response must repeat `uid`. */
export function reviewRequest(
  { reviewVersion }: Pick<ConfiguredWebhook, 'reviewVersion'>,
  attributes: AdmissionAttributes,
  shown: ShownKind,
  { object, oldObject }: ShownTexts,
  uid: string,
): string {
  const told = JSON.stringify({ uid, ...requestAttributes(attributes, shown) }).slice(0, -1)
  const request = `${told},"object":${object},"oldObject":${oldObject}}`
  return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${reviewVersion}","request":${request}}`
}

/** The attributes of a request besides its objects. */
export function requestAttributes(attributes: AdmissionAttributes, shown: ShownKind): JsonObject {
  const { operation, sent, subresource, namespace, name, options, isDryRun, user } = attributes
  return {
    kind: gvkOf(shown.kind),
    resource: { ...shown.resource },
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: gvkOf(sent.kind),
    requestResource: { ...sent.resource },
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfoOf(user),
    dryRun: isDryRun,
    options,
  }
}

function gvkOf({ group, version, kind }: ShownKind['kind']) {
  return { group, version, kind }
}

function userInfoOf({ name, uid = '', groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    groups: [...groups],
    ...(extra && { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  }
}
