import { getServers } from 'node:dns'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import { endpointSliceType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import { type RunningDns, startDnsServer } from '../../dns/dns-server.ts'
import { NameForwarder } from '../../dns/forwarder.ts'
import { NameIndex } from '../../dns/name-index.ts'
import { Responder } from '../../dns/responder.ts'
import type { PodNetwork } from '../../sync/companions/contract.ts'
import { reachedAddress } from '../../sync/companions/environment/service-variables.ts'

export interface DnsPlace {
  readonly host: string
  readonly port: number
}

export interface PodNamesOptions {
  readonly place: DnsPlace
  readonly config: EffectiveConfig
  readonly virtual: KubeClient
  readonly podNetwork: () => PodNetwork | undefined
  readonly log: Log
}

/** Serves the names of a virtual cluster to its Pods. Every replica answers from its own state. */
export async function startPodNames(options: PodNamesOptions): Promise<RunningDns> {
  const { place, config, virtual, podNetwork, log } = options
  const { clusterDomain: domain, hostClusterDomain: hostDomain } = config.networking
  const { group, resource } = endpointSliceType
  const served = await virtual.served.find(group, resource).catch(() => undefined)
  const source = new NameIndex({
    virtual,
    slices: served ?? endpointSliceType,
    reachedAddress,
    apiAddress: () => podNetwork()?.api?.host,
    log,
  })
  const forwarder = new NameForwarder({ servers: getServers, random: systemRandom })
  const responder = new Responder({ zone: () => ({ domain, hostDomain }), source, forwarder })
  const end = () => {
    forwarder.stop()
    source.stop()
  }
  try {
    const server = await startDnsServer({ ...place, responder, log })
    const stop = async () => {
      await server.stop()
      end()
    }
    return { port: server.port, stop }
  } catch (error) {
    end()
    throw new Error(`cannot serve DNS on port ${place.port} of ${place.host}: choose another with --dns-port`, {
      cause: error,
    })
  }
}
