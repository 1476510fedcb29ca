import { identitySecretName } from '../../../api/link.ts'
import { defaultProject } from '../../../api/management/default-project.ts'
import { packageVersion } from '../../../base/package-version.ts'
import { serverVersion } from '../../../cluster/server-version.ts'
import type { LinkProblemReason, TenantIdentity } from '../../../tenant/link/contract.ts'
import { problemOf } from '../../../tenant/link/problem.ts'
import { register } from '../../../tenant/link/register.ts'
import { findOwnObject } from '../../../tenant/own-object.ts'
import { keptProof } from '../../create/tenant-proof.ts'
import type { DoctorCheck, Examination } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok } from '../finding.ts'
import { asTenant } from '../platform-client.ts'

/** Registers as the virtual cluster would, as a dry run: the platform checks scope, project, name and license. */
export const checkRegistration: DoctorCheck = {
  name: 'registration',
  needs: ['key', 'self', 'domain', 'host', 'config'],
  run: async (examination) => {
    const { key, terminal, config } = examination
    const project = known(key).project ?? known(config).external.platform?.project ?? defaultProject
    const name = known(key).name ?? examination.name
    try {
      const identity = await identityOf(examination)
      const kept = await keptProof(known(examination.host), examination)
      const wanted = { project, name, ...(kept?.project === project && { proof: kept.proof }) }
      await asTenant(known(key), terminal, (client) => register(client, identity, wanted, { dryRun: true }))
      return { finding: ok('registration', `it may register as ${name} in project ${project}`), learned: { project } }
    } catch (error) {
      const { reason, message } = problemOf(error)
      return { finding: failed('registration', message, fixFor(reason, project, name, examination.name)) }
    }
  },
}

/** The current or future identity. */
async function identityOf({ name, namespace, host }: Examination): Promise<TenantIdentity> {
  const serviceUid = await findOwnObject(known(host), { tenant: name, hostNamespace: namespace }).then(
    ({ uid }) => uid,
    () => 'not-deployed-yet',
  )
  return { name, namespace, serviceUid, version: { tenant: packageVersion(), kubernetes: serverVersion().gitVersion } }
}

function fixFor(reason: LinkProblemReason, project: string, name: string, virtualCluster: string): string {
  switch (reason) {
    case 'RoleMissing':
    case 'NotAllowed':
      return `use a key with the role tenant for ${project}/${name}: tenant platform keys create --role tenant:${project}; and its owner must be a member of the project`
    case 'ProjectMissing':
      return `create the project ${project}, or name another one in external.platform.project or in the entry project of the Secret`
    case 'LicenseMissing':
      return 'an administrator of the platform must install a license that includes it'
    case 'ProofRefused':
      return `if it is the same virtual cluster and its Secret ${identitySecretName(virtualCluster)} is lost, an administrator of the platform runs tenant platform reissue ${name} --project ${project}`
    case 'ProofNotKept':
      return 'let the one who examines it read the Secret'
    case 'NameTaken':
      return 'give it another name with the entry name of the Secret'
    default:
      return 'see the log of the platform'
  }
}
