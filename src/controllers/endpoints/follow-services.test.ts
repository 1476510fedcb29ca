import { expect, it } from 'vitest'
import { type PodFacts, podsOnNode } from '../pods/pod-facts.ts'
import { examplePods, exampleService } from './example-services.ts'
import { addServicesOnNodes } from './follow-services.ts'
import { type ServiceFacts, serviceFactsFrom } from './service-facts.ts'

it('a changed node requeues each Service once, without comparing it with its Pods', () => {
  let comparisons = 0
  const services = Array.from({ length: 20 }, (_, at): ServiceFacts => {
    const facts = serviceFactsFrom(exampleService({}, { name: `s${at}` }))
    const matches = () => {
      comparisons += 1
      return true
    }
    return { ...facts, selector: { ...facts.selector, matches } }
  })
  const pods = new Map<string, readonly PodFacts[]>([[podsOnNode('one'), examplePods(30)]])
  const added: string[] = []
  const known = {
    servicesKnown: { in: (namespace: string) => (namespace === 'a' ? services : []) },
    podsKnown: { inGroup: (group: string) => pods.get(group) ?? [] },
  }
  addServicesOnNodes({ add: (key) => added.push(key) }, known, new Set(['one', 'other']))
  expect(added).toEqual(services.map(({ name }) => `a/${name}`))
  expect(comparisons).toBe(0)
})
