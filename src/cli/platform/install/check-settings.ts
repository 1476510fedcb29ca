import { isIP } from 'node:net'
import { validateLabel, validateSubdomain } from '../../../api/names.ts'
import { parseQuantity } from '../../../api/quantity.ts'
import { UsageError } from '../../../base/usage-error.ts'
import type { PlatformSettings } from './settings.ts'

/** Throws what is wrong with settings that no cluster could make right, all of it at once. */
export function checkSettings(settings: PlatformSettings): void {
  const problems = [...storeProblems(settings), ...entranceProblems(settings), ...nameProblems(settings)]
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
}

function storeProblems({ store, replicas, storageSize }: PlatformSettings): readonly string[] {
  const size = parseQuantity(storageSize)
  return [
    ...(store === undefined || /^etcd:./.test(store)
      ? []
      : [`--store ${store}: name an etcd, as in etcd:https://10.0.0.1:2379; without it the store is embedded`]),
    ...(store === undefined && replicas > 1
      ? ['an embedded store has one server: --replicas needs an etcd, named by --store etcd:URL']
      : []),
    ...('problem' in size ? [`--storage-size ${storageSize}: ${size.problem}`] : []),
  ]
}

function entranceProblems({ expose, address }: PlatformSettings): readonly string[] {
  const needsAddress = expose === 'ingress' || expose === 'node-port'
  const isNumber = address !== undefined && isIP(address) !== 0
  return [
    ...(needsAddress && address === undefined
      ? [`--expose ${expose} needs --address, the name or address that clients use, such as platform.example.com`]
      : []),
    ...(expose === 'ingress' && isNumber ? ['an Ingress needs a name: --address is an IP address'] : []),
    ...(address === undefined || isNumber
      ? []
      : validateSubdomain(address).map((why) => `--address ${address}: ${why}`)),
  ]
}

function nameProblems({ namespace, domain, tlsSecret, licenseSecret }: PlatformSettings): readonly string[] {
  const secrets = Object.entries({ '--tls-secret': tlsSecret, '--license-secret': licenseSecret })
  return [
    ...validateLabel(namespace).map((why) => `--namespace ${namespace}: ${why}`),
    ...validateSubdomain(domain).map((why) => `--domain ${domain}: ${why}`),
    ...secrets.flatMap(([flag, name]) =>
      name === undefined ? [] : validateSubdomain(name).map((why) => `${flag} ${name}: ${why}`),
    ),
  ]
}
