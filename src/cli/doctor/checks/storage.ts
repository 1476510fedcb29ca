import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { packageVersion } from '../../../base/package-version.ts'
import { systemRandom } from '../../../base/random.ts'
import { usualLimits } from '../../../client/transport/limits.ts'
import { createTransport } from '../../../client/transport/transport.ts'
import { selectorLabels } from '../../create/manifests/labels.ts'
import { tenantApiPort } from '../../create/manifests/stateful-set.ts'
import { servedTypeOf } from '../../host/objects.ts'
import type { CheckResult, DoctorCheck, Examination } from '../examination.ts'
import { known } from '../examination.ts'
import { type DoctorFinding, failed, ok, skipped } from '../finding.ts'
import { troubleInHealth, troubleInLog } from '../storage-trouble.ts'

const patienceMs = 10_000
const logLines = '20'
const container = 'tenant'

/** Whether the virtual cluster has room for writes: the process reports it, or did so when it ended. */
export const checkStorage: DoctorCheck = {
  name: 'storage',
  needs: ['host', 'access'],
  run: async (examination): Promise<CheckResult> => ({ finding: await findingOn(examination) }),
}

async function findingOn(examination: Examination): Promise<DoctorFinding> {
  const { local, set, config, name, namespace } = examination
  if (local !== undefined) return ok('storage', 'tenant up keeps it, and says when its disk is full')
  if (set === undefined) return skipped('storage', `${name} is not run by this cluster`)
  if (config?.controlPlane.virtualKubeconfig !== undefined) return skipped('storage', 'it uses an existing API server')
  const pods = await podsOf(examination)
  const answers = await Promise.all(pods.map((pod) => troubleOf(pod, examination)))
  const found = answers.find(({ trouble }) => trouble !== undefined)
  if (found?.trouble !== undefined) {
    const fix = `free up space: enlarge the volume of ${found.pod} (kubectl get pvc -n ${namespace}), or delete objects of the virtual cluster; on an etcd compact and defragment it. It then continues on its own`
    return failed('storage', `${found.pod} refuses writes: ${found.trouble}`, fix)
  }
  const asked = answers.filter(({ isAnswered }) => isAnswered).length
  if (asked === 0)
    return skipped('storage', 'no pod could be asked; it takes the right to get pods/proxy, and pods/log')
  return ok('storage', 'there is room for writes')
}

interface PodAnswer {
  readonly pod: string
  readonly isAnswered: boolean
  readonly trouble?: string | undefined
}

async function podsOf({ host, name, namespace }: Examination): Promise<readonly KubeObject[]> {
  const type = await servedTypeOf(known(host), { apiVersion: 'v1', kind: 'Pod' })
  const pairs = Object.entries(selectorLabels({ name, namespace })).map((pair) => pair.join('='))
  return (await known(host).list(type, { namespace, labelSelector: pairs.join(',') })).items
}

/** A running process is asked; for another one, its last messages count. */
async function troubleOf(object: KubeObject, examination: Examination): Promise<PodAnswer> {
  const pod = object.metadata.name ?? ''
  const path = `/api/v1/namespaces/${encodeURIComponent(examination.namespace)}/pods`
  const statuses = (object as Pod).status?.containerStatuses ?? []
  const isRunning = statuses.some(({ name, state }) => name === container && state?.running !== undefined)
  if (isRunning) {
    const health = await textOf(
      `${path}/https:${encodeURIComponent(pod)}:${tenantApiPort}/proxy/livez?verbose`,
      examination,
    )
    return { pod, isAnswered: health !== undefined, trouble: health && troubleInHealth(health) }
  }
  const log = await textOf(
    `${path}/${encodeURIComponent(pod)}/log?container=${container}&tailLines=${logLines}`,
    examination,
  )
  return { pod, isAnswered: log !== undefined, trouble: log && troubleInLog(log) }
}

/** Undefined: refused, or no answer. */
async function textOf(path: string, { access, terminal }: Examination): Promise<string | undefined> {
  const transport = createTransport({
    access: known(access),
    limits: usualLimits,
    userAgent: `tenant/${packageVersion()}`,
    random: systemRandom,
    env: terminal.env,
  })
  try {
    const answer = await transport.open({ method: 'GET', path, accept: '*/*' }, AbortSignal.timeout(patienceMs))
    const body = await answer.body()
    return answer.status === 200 ? body.toString() : undefined
  } catch {
    return undefined
  } finally {
    await transport.close()
  }
}
