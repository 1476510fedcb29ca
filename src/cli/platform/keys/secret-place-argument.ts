import { InvalidArgumentError } from 'commander'
import type { SecretPlace } from '../../../api/types/management.ts'

const form = /^(?:([a-z0-9.-]+):)?([a-z0-9-]+)\/([a-z0-9.-]+)(?:#([-._a-zA-Z0-9]+))?$/

/** `[CLUSTER:]NAMESPACE/NAME[#ENTRY]`; without a cluster it is the platform itself. */
export function secretPlaceArgument(text: string, before: readonly SecretPlace[] = []): readonly SecretPlace[] {
  const [, cluster, namespace, name, entry] = form.exec(text) ?? []
  if (namespace === undefined || name === undefined) {
    throw new InvalidArgumentError(
      'A Secret is written as CLUSTER:NAMESPACE/NAME, or NAMESPACE/NAME on the platform itself.',
    )
  }
  const place = {
    ...(cluster === undefined ? {} : { cluster }),
    ...{ namespace, name },
    ...(entry === undefined ? {} : { entry }),
  }
  return [...before, place]
}
