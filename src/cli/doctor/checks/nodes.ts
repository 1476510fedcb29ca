import { showsNodes } from '../../../sync/nodes/shows-nodes.ts'
import { objectNames } from '../../create/manifests/names.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { ok, skipped, warning } from '../finding.ts'
import { accountMayFollow } from './account-right.ts'

/** Whether the virtual cluster can show the nodes of its host as configured. Pods run without them. */
export const checkNodes: DoctorCheck = {
  name: 'nodes',
  needs: ['host', 'config'],
  run: async ({ host, config, set, local, name, namespace }) => {
    const { mode } = known(config).sync.fromHost.nodes
    if (!showsNodes(known(config))) return { finding: skipped('nodes', 'none are to be shown') }
    if (local !== undefined) return { finding: ok('nodes', 'tenant up reads them as the administrator of its host') }
    if (set === undefined) return { finding: skipped('nodes', `${name} is not run by this cluster`) }
    const isFine = await accountMayFollow(known(host), { name, namespace }, { group: '', resource: 'nodes' })
    const account = `the ServiceAccount ${objectNames.account(name)}`
    if (isFine) return { finding: ok('nodes', `${account} may read the nodes of the host`) }
    const fix = `run tenant create ${name} -n ${namespace} --upgrade as an administrator of the host, or set sync.fromHost.nodes.mode to none`
    const detail = `sync.fromHost.nodes.mode is ${mode}, and ${account} may not read nodes: none are shown`
    return { finding: warning('nodes', detail, fix) }
  },
}
