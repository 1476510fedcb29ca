import { shown } from '../../../api/tenant-config/wording.ts'
import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import type { Trouble } from '../../contract.ts'

/**
 * Containers that share processes can see into each other, including one that the host adds, such as a service mesh
 * container, and its mounted tokens of the host. Such a Pod is created only if the host adds no container.
 */
export function judgeSharedProcesses({ spec }: Pod, wanted: PodSpec): ((made: Pod) => Trouble | undefined) | undefined {
  if (spec?.shareProcessNamespace !== true) return undefined
  const own = new Set(containerNames(wanted))
  return (made) => {
    const added = containerNames(made.spec).find((name) => !own.has(name))
    return added === undefined ? undefined : sharedWithHost(added)
  }
}

function containerNames({ containers, initContainers }: PodSpec): readonly string[] {
  return [...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name)
}

function sharedWithHost(name: string): Trouble {
  const message = `the host adds the container ${shown(name)} to it, whose processes spec.shareProcessNamespace would open to its own containers: a Pod without it is carried`
  return { reason: 'ProcessesOfHost', message }
}
