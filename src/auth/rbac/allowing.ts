import type { ResourceRule } from '../contract.ts'

export const reading = 'get list watch'
export const writing = 'create delete deletecollection patch update'

/** A rule from its three lists, each separated by spaces; groups by their full names, the core group as `core`. */
export function allowing(verbs: string, groups: string, resources: string): ResourceRule {
  const apiGroups = groups.split(' ').map((group) => (group === 'core' ? '' : group))
  return { verbs: verbs.split(' '), apiGroups, resources: resources.split(' ') }
}

/** The same for objects of one name. */
export function allowingNamed(name: string, verbs: string, groups: string, resources: string): ResourceRule {
  return { ...allowing(verbs, groups, resources), resourceNames: [name] }
}

/** Almost every component writes Events. */
export const tellingEvents: ResourceRule = allowing('create patch update', 'core events.k8s.io', 'events')
