import type { UserInfo } from '../../api/access.ts'
import type { JsonObject } from '../../api/object.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import type { AdmissionAttributes, ShownKind } from './contract.ts'

/** The question that a webhook is sent, as JSON. `uid` has to be in the answer. */
export async function reviewRequest(
  { reviewVersion }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  shown: ShownKind,
  uid: string,
): Promise<string> {
  const { object, old } = attributes
  const request = {
    uid,
    ...requestAttributes(attributes, shown),
    object: object === undefined ? null : await shown.show(object),
    oldObject: old === undefined ? null : await shown.show(old),
  }
  return JSON.stringify({ kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${reviewVersion}`, request })
}

/** What is told of a request besides its objects. */
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
