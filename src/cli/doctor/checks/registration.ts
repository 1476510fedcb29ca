import { managementGroup } from '../../../api/management/management-kind.ts'
import { projectNamespace } from '../../../auth/scope/request.ts'
import type { ApiClient } from '../../../client/api-client.ts'
import type { LinkProblemReason } from '../../../tenant/link/contract.ts'
import { problemOf } from '../../../tenant/link/problem.ts'
import { findOwnObject } from '../../../tenant/own-object.ts'
import type { Check, Examination } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok } from '../finding.ts'
import { asTenant } from '../platform-client.ts'

const usualProject = 'default'

/** Registers as the virtual cluster would, without doing it: scope, project, name and licence are checked where it counts. */
export const checkRegistration: Check = {
  name: 'registration',
  needs: ['key', 'self', 'domain', 'host', 'config'],
  run: async (examination) => {
    const { key, terminal, config } = examination
    const project = known(key).project ?? known(config).external.platform?.project ?? usualProject
    const name = known(key).name ?? examination.name
    try {
      await asTenant(known(key), terminal, (client) => tryToRegister(client, examination, { project, name }))
      return { finding: ok('registration', `it may register as ${name} in project ${project}`), learned: { project } }
    } catch (error) {
      const { reason, message } = problemOf(error)
      return { finding: failed('registration', message, fixFor(reason, project, name)) }
    }
  },
}

async function tryToRegister(
  client: ApiClient,
  { domain, namespace, host, name: virtualCluster }: Examination,
  { project, name }: { readonly project: string; readonly name: string },
): Promise<void> {
  const apiVersion = `${managementGroup(known(domain))}/v1`
  const identity = { tenant: virtualCluster, hostNamespace: namespace }
  const serviceUid = await findOwnObject(known(host), identity).then(
    ({ uid }) => uid,
    () => 'not-deployed-yet',
  )
  await client.ask({
    method: 'POST',
    path: `/apis/${apiVersion}/namespaces/${projectNamespace(project)}/virtualclusterinstances/${name}/register`,
    query: { dryRun: 'All' },
    body: { apiVersion, kind: 'VirtualClusterRegistration', spec: { serviceUid, namespace, virtualCluster } },
  })
}

function fixFor(reason: LinkProblemReason, project: string, name: string): string {
  switch (reason) {
    case 'RoleMissing':
    case 'NotAllowed':
      return `use a key with the role tenant for ${project}/${name}: tenant platform keys create --role tenant:${project}; and its owner has to be a member of the project`
    case 'ProjectMissing':
      return `create the project ${project}, or name another one in external.platform.project or in the entry project of the Secret`
    case 'LicenseMissing':
      return 'an administrator of the platform has to install a licence that includes it'
    case 'NameTaken':
      return 'give it another name with the entry name of the Secret'
    default:
      return 'see the log of the platform'
  }
}
