import { forbidden } from '../../api/error.ts'
import { systemPriorities } from '../../api/scheduling/priority-class.ts'
import type { PriorityClass } from '../../api/types/scheduling-v1.ts'
import type { ResourceContext } from '../context.ts'
import { RememberedFacts } from '../remembered-facts.ts'
import type { AdmissionPlugin } from './contract.ts'

/** At most one class is the default for pods without a class, and the system classes cannot be deleted. */
export const priorityClasses: AdmissionPlugin = {
  name: 'Priority',
  handles: ({ group, kind }) => group === 'scheduling.k8s.io' && kind === 'PriorityClass',
  inspect: (object, { engine }) => {
    const { metadata, globalDefault } = object as PriorityClass
    if (globalDefault !== true) return
    const other = otherDefault(metadata.name, engine.find('scheduling.k8s.io', 'PriorityClass'))
    if (other === undefined) return
    throw refused(metadata.name, `PriorityClass ${other} is already marked as default. Only one default can exist`)
  },
  remove: ({ metadata }) => {
    if (!Object.hasOwn(systemPriorities, metadata.name ?? '')) return
    throw refused(metadata.name, 'this is a system priority class and cannot be deleted')
  },
}

const knownDefaults = new RememberedFacts(({ metadata, globalDefault }) => ({
  name: metadata.name ?? '',
  isDefault: globalDefault === true,
}))

function otherDefault(name: string | undefined, classes: ResourceContext | undefined): string | undefined {
  if (classes === undefined) return undefined
  return knownDefaults.ofAll(classes.cache).find((each) => each.isDefault && each.name !== name)?.name
}

function refused(name = '', because: string) {
  return forbidden({ plural: 'priorityclasses', group: 'scheduling.k8s.io' }, name, because)
}
