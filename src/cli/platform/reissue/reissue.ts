import { asMembers } from '../../../base/json/lenient.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { identitySecret } from '../../../tenant/identity-secret.ts'
import { defaultNamespace } from '../../arguments/tenant-name.ts'
import { findInstance, instancePath } from '../../instances/registration.ts'
import { say } from '../../output/messages.ts'
import { printData } from '../../output/print-object.ts'
import { missingVirtualCluster } from '../../project/missing-project.ts'
import { chooseProject } from '../../project/project.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform } from '../session.ts'
import type { ReissueOptions } from './options.ts'

export function reissueProof(options: ReissueOptions, terminal: Terminal): Promise<void> {
  return onPlatform(options, terminal, async (session) => {
    const { name, seconds, output } = options
    const project = chooseProject(options.project, session)
    const instance = await findInstance(session, { project, name })
    if (instance === undefined) throw await missingVirtualCluster(session, project, name)
    const { status } = await session.client.ask({
      method: 'POST',
      path: `${instancePath(session, { project, name })}/reissue`,
      body: {
        apiVersion: session.apiVersion,
        kind: 'VirtualClusterReissue',
        spec: output === undefined ? { seconds } : { answer: true },
      },
    })
    const { proof, until } = asMembers(status)
    if (output === undefined) return tellTime(`${name} of project ${project}`, until, terminal)
    if (typeof proof !== 'string')
      throw new Error('the platform issued a proof and did not return it; run the command again')
    const place = placeOf(instance, name)
    printData(terminal, output, identitySecret(place, { project, name, proof }))
    say(
      terminal,
      `This is shown once. ${name} links itself again when the Secret is in namespace ${place.hostNamespace} of its host.`,
    )
  })
}

function tellTime(what: string, until: unknown, terminal: Terminal): void {
  say(terminal, `The proof of ${what} is void. It gets a new one when it registers until ${String(until)}.`)
}

/** Where it runs, as it reported at registration. */
function placeOf({ spec }: JsonBody, name: string) {
  const { clusterRef } = asMembers(spec)
  const { namespace, virtualCluster } = asMembers(clusterRef)
  const tenant = typeof virtualCluster === 'string' && virtualCluster !== '' ? virtualCluster : name
  const hostNamespace = typeof namespace === 'string' && namespace !== '' ? namespace : defaultNamespace(tenant)
  return { tenant, hostNamespace }
}
