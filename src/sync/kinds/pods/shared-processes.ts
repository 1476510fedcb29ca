import { shown } from '../../../api/tenant-config/wording.ts'
import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import type { Trouble } from '../../contract.ts'

/**
 * Containers that share their processes see into each other, and so into one that the host adds, such as that of a mesh, with what it
 * has mounted: tokens of the host. Such a Pod is made only if it stays among its own.
 */
export function judgeSharedProcesses(wanted: Pod): ((made: Pod) => Trouble | undefined) | undefined {
  if (wanted.spec?.shareProcessNamespace !== true) return undefined
  const own = new Set(containerNames(wanted.spec))
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
