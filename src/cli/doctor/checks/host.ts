import { errorText } from '../../../base/error-text.ts'
import type { DoctorCheck } from '../examination.ts'
import { failed, ok } from '../finding.ts'
import { notRunHere } from '../not-run-here.ts'

export const checkHost: DoctorCheck = {
  name: 'host',
  needs: [],
  run: async ({ cluster, local, name, namespace }) => {
    try {
      await cluster.served.find('', 'secrets')
      return { finding: ok('host', `${cluster.origin} answers`), learned: { host: cluster } }
    } catch (error) {
      const why = errorText(error)
      const unknown = local === undefined ? `; ${notRunHere({ name, namespace })}` : ''
      const fix = 'check the kubeconfig and its context (--kubeconfig, --context), and that the cluster runs'
      return { finding: failed('host', `${cluster.origin}: ${why}${unknown}`, fix) }
    }
  },
}
