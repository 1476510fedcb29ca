import { setTimeout as delay } from 'node:timers/promises'
import { errorText } from '../../../base/error-text.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { auditPods, type PodAudit, type PodDifference } from '../../../sync/report/pod-audit.ts'
import { onHost } from '../../host/host-cluster.ts'
import type { CheckResult, DoctorCheck, Examination } from '../examination.ts'
import { known } from '../examination.ts'
import { type DoctorFinding, ok, skipped, warning } from '../finding.ts'

const pauseMs = 2_000
const mostShown = 50
/** The messages come from the virtual cluster, which may be its owner's. */
const longestLine = 1_000

/** Whether each Pod of the virtual cluster and its copy on the host are in step, and if not, why. */
export const checkPods: DoctorCheck = {
  name: 'pods',
  needs: ['host', 'config'],
  run: async (examination): Promise<CheckResult> => {
    const { config, virtualKubeconfig, name, terminal } = examination
    if (!known(config).sync.toHost.pods.enabled) return { finding: skipped('pods', 'they are not synced') }
    if (virtualKubeconfig === undefined) {
      const how = `give --virtual-kubeconfig, which tenant connect ${name} --print writes, and they are compared with their copies`
      return { finding: skipped('pods', how) }
    }
    const finding = await onHost({ kubeconfig: virtualKubeconfig }, terminal, ({ client }) =>
      compared(examination, client),
    )
    return { finding }
  },
}

async function compared({ name, namespace, host, config }: Examination, virtual: KubeClient): Promise<DoctorFinding> {
  try {
    const identity = { tenant: name, hostNamespace: namespace }
    const options = { identity, config: known(config), virtual, host: known(host) }
    return findingOf(await auditPods({ ...options, pause: () => delay(pauseMs) }), name, namespace)
  } catch (error) {
    const why = errorText(error)
    return warning(
      'pods',
      `they cannot be compared: ${why}`,
      'check --virtual-kubeconfig, and the rights to list pods in both',
    )
  }
}

export function findingOf({ compared, differences }: PodAudit, name: string, namespace: string): DoctorFinding {
  if (differences.length === 0) return ok('pods', `${compared} compared with their copies, and each is in step`)
  const shown = differences.slice(0, mostShown).map(lineOf)
  const left = differences.length - shown.length
  const fix = `see kubectl describe of the Pod in the virtual cluster, and tenant logs ${name} -n ${namespace}`
  return {
    ...warning('pods', `${differences.length} of ${compared} are not in step with their copies`, fix),
    lines: left > 0 ? [...shown, `and ${left} more`] : shown,
  }
}

function lineOf({ object, reason, message }: PodDifference): string {
  const line = `${object}: ${reason}: ${message}`
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line
}
