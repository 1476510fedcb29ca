import type { PodSpec } from '../../api/types/core-v1.ts'
import type { HostPort } from './contract.ts'

export const anyAddress = '0.0.0.0'

/** The host ports that a Pod uses. */
export function hostPortsOf({ containers, hostNetwork }: PodSpec): readonly HostPort[] {
  const ports = (containers ?? []).flatMap(({ ports = [] }) => ports)
  return ports.flatMap(({ hostPort, containerPort, protocol = 'TCP', hostIP = '' }) => {
    const port = hostPort ?? (hostNetwork === true ? containerPort : undefined)
    return port === undefined ? [] : [{ protocol, address: hostIP === '' ? anyAddress : hostIP, port }]
  })
}

/** Equal for ports that collide unless their addresses differ. */
export function hostPortId({ protocol, port }: HostPort): string {
  return `${protocol}/${port}`
}
