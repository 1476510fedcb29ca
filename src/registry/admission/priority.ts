import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import type { ResourceContext } from '../context.ts'
import { RememberedFacts } from '../remembered-facts.ts'
import type { Admission } from './contract.ts'
import { podForbidden, podPlugin, withSpec } from './pods.ts'

interface Class {
  readonly name?: string
  readonly value: number
  readonly preemptionPolicy: string
}

const noClass: Class = { value: 0, preemptionPolicy: 'PreemptLowerPriority' }

/** Gives a pod the priority of its class, and no other. An update keeps the pod's priority. */
export const priority = podPlugin({
  name: 'Priority',
  mutate: (pod, admission, old) => (old === undefined ? withClass(pod, admission) : withPriorityOf(pod, old)),
})

function withPriorityOf(pod: Pod, old: Pod): Pod {
  const priority = pod.spec.priority ?? old.spec.priority
  const preemptionPolicy = pod.spec.preemptionPolicy ?? old.spec.preemptionPolicy
  return withSpec(pod, {
    ...(priority === undefined ? {} : { priority }),
    ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }),
  })
}

function withClass(pod: Pod, admission: Admission): Pod {
  const { name, value, preemptionPolicy } = classOf(pod, admission.engine.find('scheduling.k8s.io', 'PriorityClass'))
  const { priority: givenValue, preemptionPolicy: givenPolicy } = pod.spec
  const computed = 'must not be provided in pod spec; priority admission controller computed'
  const from = 'from the given PriorityClass name'
  if (givenValue !== undefined && givenValue !== value) {
    throw podForbidden(pod, `the integer value of priority (${givenValue}) ${computed} ${value} ${from}`)
  }
  if (givenPolicy !== undefined && givenPolicy !== preemptionPolicy) {
    const given = `the string value of PreemptionPolicy (${givenPolicy})`
    throw podForbidden(pod, `${given} ${computed} ${preemptionPolicy} ${from}`)
  }
  const named = name === undefined ? {} : { priorityClassName: name }
  return withSpec(pod, { ...named, priority: value, preemptionPolicy })
}

function classOf(pod: Pod, classes: ResourceContext | undefined): Class {
  const name = pod.spec.priorityClassName ?? ''
  if (classes === undefined) return noClass
  if (name === '') return defaultClass(classes)
  const found = classes.cache.get({ namespace: '', name })
  if (found === undefined) throw podForbidden(pod, `no PriorityClass with name ${name} was found`)
  return asClass(found.object)
}

const knownClasses = new RememberedFacts((object) => {
  const found = asClass(object)
  return { found, isDefault: object.globalDefault === true, value: found.value }
})

/** If several classes are marked as the default, the one with the lowest value counts. */
function defaultClass({ cache }: ResourceContext): Class {
  const defaults = knownClasses.ofAll(cache).filter(({ isDefault }) => isDefault)
  return defaults.toSorted((left, right) => left.value - right.value)[0]?.found ?? noClass
}

function asClass({ metadata, value, preemptionPolicy }: KubeObject): Class {
  return {
    ...(metadata.name === undefined ? {} : { name: metadata.name }),
    value: typeof value === 'number' ? value : 0,
    preemptionPolicy: typeof preemptionPolicy === 'string' ? preemptionPolicy : noClass.preemptionPolicy,
  }
}
