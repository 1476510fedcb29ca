import { isJsonObject } from '../../../base/json/member.ts'
import type { KubeClient, ResourceType } from '../../../client/contract.ts'
import { howToAllow } from '../../../tenant/platform-key/wording.ts'
import { objectNames } from '../../create/manifests/names.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok, skipped } from '../finding.ts'

const reviews: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
  hasStatus: false,
}

/** Whether the ServiceAccount of the virtual cluster may read and follow the Secret with the key. */
export const checkRights: DoctorCheck = {
  name: 'rights',
  needs: ['host', 'key'],
  run: async ({ host, key, set, local, name, namespace }) => {
    if (local !== undefined) return { finding: ok('rights', 'tenant up reads it as the administrator of its host') }
    if (set === undefined) return { finding: skipped('rights', `${name} is not run by this cluster`) }
    const { source } = known(key)
    if (source.type === 'environment') return { finding: skipped('rights', 'the key is no Secret') }
    const account = objectNames.account(name)
    const user = `system:serviceaccount:${namespace}:${account}`
    const asked = ['get', 'list', 'watch'].map((verb) => isAllowed(known(host), user, { ...source, verb }))
    const isFine = (await Promise.all(asked)).every((allowed) => allowed)
    const shown = `the ServiceAccount ${account}`
    return {
      finding: isFine
        ? ok('rights', `${shown} may read and follow the Secret ${source.name} of namespace ${source.namespace}`)
        : failed(
            'rights',
            `${shown} may not read or follow the Secret ${source.name} of namespace ${source.namespace}`,
            howToAllow(source),
          ),
    }
  },
}

async function isAllowed(
  host: KubeClient,
  user: string,
  { namespace, name, verb }: { readonly namespace: string; readonly name: string; readonly verb: string },
): Promise<boolean> {
  const { status } = await host.create(reviews, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: reviews.kind,
    metadata: {},
    spec: {
      user,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${user.split(':')[2]}`, 'system:authenticated'],
      resourceAttributes: { group: '', resource: 'secrets', namespace, name, verb },
    },
  })
  return isJsonObject(status) && status.allowed === true
}
