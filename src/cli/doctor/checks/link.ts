import { ApiError } from '../../../api/error.ts'
import { managementGroup } from '../../../api/management/management-kind.ts'
import { projectNamespace } from '../../../auth/scope/request.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import type { DoctorCheck, Examination } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok, skipped } from '../finding.ts'
import { asTenant } from '../platform-client.ts'

/** Whether the platform sees the virtual cluster as linked. */
export const checkLink: DoctorCheck = {
  name: 'link',
  needs: ['key', 'self', 'domain', 'project'],
  run: async (examination) => {
    const { name, namespace } = examination
    const instance = await instanceOf(examination)
    if (instance === 'unknown') return { finding: skipped('link', 'the key may not look at it') }
    const fix = `read its log: tenant logs ${name} -n ${namespace}`
    if (instance === undefined) return { finding: failed('link', 'it has never registered', fix) }
    const { online, message, lastHeartbeat } = asMembers(instance.status)
    const learned = { instance }
    if (online === true)
      return { finding: ok('link', `it is linked, last seen ${String(lastHeartbeat ?? 'now')}`), learned }
    return { finding: failed('link', `it is not linked${message ? `: ${String(message)}` : ''}`, fix), learned }
  },
}

async function instanceOf({
  key,
  name,
  domain,
  project,
  terminal,
}: Examination): Promise<JsonBody | 'unknown' | undefined> {
  const group = managementGroup(known(domain))
  const instance = known(key).name ?? name
  const path = `/apis/${group}/v1/namespaces/${projectNamespace(known(project))}/virtualclusterinstances/${instance}`
  try {
    return await asTenant(known(key), terminal, (client) => client.ask({ path }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 404) return undefined
    if (error.code === 403) return 'unknown'
    throw error
  }
}
