import { badRequest } from '../../api/error.ts'
import type { Pod } from '../../api/types/core-v1.ts'

/** Chooses a container like kube-apiserver, with the same messages. Empty: none is named. */
export function chosenContainer({ metadata, spec }: Pod, container: string): string {
  const { initContainers = [], ephemeralContainers = [] } = spec
  const containers = spec.containers ?? []
  const all = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name)
  if (container !== '') {
    if (all.includes(container)) return container
    throw badRequest(`container ${container} is not valid for pod ${metadata.name}`)
  }
  const [only, ...more] = containers
  if (only !== undefined && more.length === 0) return only.name
  const choice = `choose one of: [${all.join(' ')}]`
  throw badRequest(`a container name must be specified for pod ${metadata.name}, ${choice}`)
}
