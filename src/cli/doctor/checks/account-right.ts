import { authenticatedServiceAccountGroups, serviceAccountUserName } from '../../../auth/service-account-name.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { subjectAccessReviewType } from '../../../client/builtin-types.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { objectNames } from '../../create/manifests/names.ts'

interface Followed {
  readonly group: string
  readonly resource: string
  readonly namespace?: string
  readonly name?: string
}

/** Whether the ServiceAccount of a virtual cluster may read and watch something. */
export async function accountMayFollow(
  host: KubeClient,
  tenant: { readonly name: string; readonly namespace: string },
  followed: Followed,
): Promise<boolean> {
  const answers = await Promise.all(
    ['get', 'list', 'watch'].map((verb) => isAllowed(host, tenant, { ...followed, verb })),
  )
  return answers.every((allowed) => allowed)
}

async function isAllowed(
  host: KubeClient,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  resourceAttributes: Followed & { readonly verb: string },
): Promise<boolean> {
  const { status } = await host.create(subjectAccessReviewType, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: subjectAccessReviewType.kind,
    metadata: {},
    spec: {
      user: serviceAccountUserName(namespace, objectNames.account(name)),
      groups: authenticatedServiceAccountGroups(namespace),
      resourceAttributes,
    },
  })
  return isJsonObject(status) && status.allowed === true
}
