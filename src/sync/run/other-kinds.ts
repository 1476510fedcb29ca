import { parseApiVersion } from '../../api/object.ts'
import type { ReferencedKind } from '../../patches/contract.ts'
import { namespacesSync } from '../kinds/namespaces.ts'
import { podsSync } from '../kinds/pods/pods.ts'
import { servicesSync } from '../kinds/services.ts'
import { NotYet } from './failures/failure.ts'
import type { OtherKinds } from './kind-parts.ts'
import type { KindRun } from './kind-run.ts'
import { requireOwnNamespace } from './own-namespace.ts'

type KindRuns = ReadonlyMap<string, KindRun>

/** The synced kinds, as each sees the others. */
export function otherKinds(runs: KindRuns): OtherKinds {
  return {
    findService: async (name, signal) => {
      const services = runs.get(servicesSync.id)
      if (services === undefined || services.run.absence !== undefined) return undefined
      if (services.syncer === undefined)
        throw new NotYet({ reason: 'Starting', message: 'Services are not synced yet' })
      return services.syncer.findVirtual(name, signal)
    },
    requirePlace: async (namespace, signal) => {
      const namespaces = namespace === '' ? undefined : runs.get(namespacesSync.id)
      if (namespaces === undefined) return
      const known = namespaces.syncer?.asNamespaces()
      if (known === undefined) throw new NotYet({ reason: 'Starting', message: 'Namespaces are not synced yet' })
      await requireOwnNamespace(namespace, known, signal)
    },
    isNotSynced: (reference) => runOfKind(runs, reference) === undefined && !isStarting(runs, reference),
    hasCopy: (reference) => runOfKind(runs, reference)?.syncer?.copyOf(reference) !== undefined,
    lacksCopy: (reference) => {
      const run = runOfKind(runs, reference)
      return run === undefined ? !isStarting(runs, reference) : run.syncer?.lacksCopy(reference) === true
    },
    holdersOf: (place) => {
      const pods = runs.get(podsSync.id)
      if (pods === undefined || pods.run.absence !== undefined) return []
      return pods.syncer?.holdersOf(place)?.map((name) => ({ apiVersion: 'v1', kind: 'Pod', ...name }))
    },
    whyAwaited: async (reference, signal) => {
      const syncer = runOfKind(runs, reference)?.syncer
      if (syncer !== undefined) return syncer.whyAwaited(reference, signal)
      return isStarting(runs, reference) ? 'missing' : undefined
    },
  }
}

export function runOfKind(runs: KindRuns, { apiVersion, kind }: ReferencedKind): KindRun | undefined {
  const { group } = parseApiVersion(apiVersion)
  for (const run of runs.values()) if (run.serves({ group, kind })) return run
  return undefined
}

/** Before a kind runs, its name on the servers is not known. */
function isStarting(runs: KindRuns, { apiVersion }: ReferencedKind): boolean {
  const { group } = parseApiVersion(apiVersion)
  return [...runs.values()].some(
    ({ entry, run }) => entry.kind.group === group && run.running === undefined && run.absence === undefined,
  )
}
