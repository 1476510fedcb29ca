import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import { existing } from '../../host/objects.ts'
import { rolloutOf } from '../../host/rollout/rollout.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok, skipped, warning } from '../finding.ts'

/** Whether a cluster runs the virtual cluster, and whether it is ready. One that runs elsewhere is not checked. */
export const checkDeployment: DoctorCheck = {
  name: 'deployment',
  needs: ['host'],
  run: async ({ host, name, namespace, config, local }) => {
    if (local !== undefined) {
      return { finding: ok('deployment', `tenant up runs it, in process ${local.platform.pid}`) }
    }
    const set = await find(known(host), name, namespace)
    if (set === undefined && config !== undefined) {
      return { finding: skipped('deployment', `${name} is not run by this cluster`) }
    }
    if (set === undefined) {
      const fix = `create it (tenant create ${name} -n ${namespace}), name its namespace with -n, or give its configuration with -f`
      return { finding: failed('deployment', `there is no StatefulSet ${name} in namespace ${namespace}`, fix) }
    }
    const rollout = rolloutOf({ workload: set, pods: [] })
    if (rollout.state === 'ready') return { finding: ok('deployment', 'all pods are ready'), learned: { set } }
    const fix = `see: tenant logs ${name} -n ${namespace}, and kubectl describe pod -n ${namespace}`
    return {
      finding: warning('deployment', `StatefulSet ${namespace}/${name}: ${rollout.message}`, fix),
      learned: { set },
    }
  },
}

/** A cluster that runs no workloads has no StatefulSets. */
async function find(
  host: Parameters<typeof existing>[0],
  name: string,
  namespace: string,
): Promise<KubeObject | undefined> {
  if ((await host.served.findKind('apps/v1', 'StatefulSet')) === undefined) return undefined
  try {
    return await existing(host, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name, namespace } })
  } catch (error) {
    if (isRefusal(error, 403)) return undefined
    throw error
  }
}
