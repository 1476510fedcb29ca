import { howToAllow } from '../../../tenant/platform-key/wording.ts'
import { objectNames } from '../../create/manifests/names.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok, skipped } from '../finding.ts'
import { accountMayFollow } from './account-right.ts'

/** Whether the ServiceAccount of the virtual cluster may read and watch the Secret with the key. */
export const checkRights: DoctorCheck = {
  name: 'rights',
  needs: ['host', 'key'],
  run: async ({ host, key, set, local, name, namespace }) => {
    if (local !== undefined) return { finding: ok('rights', 'tenant up reads it as the administrator of its host') }
    if (set === undefined) return { finding: skipped('rights', `${name} is not run by this cluster`) }
    const { source } = known(key)
    if (source.type === 'environment') return { finding: skipped('rights', 'the key is not in a Secret') }
    const account = objectNames.account(name)
    const secret = { group: '', resource: 'secrets', namespace: source.namespace, name: source.name }
    const isFine = await accountMayFollow(known(host), { name, namespace }, secret)
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
