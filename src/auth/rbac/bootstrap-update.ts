import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { objectsAt } from '../member.ts'
import { missingRules } from './coverage.ts'
import { rulesOf } from './rule.ts'

export const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate'

/**
 * Adds to a stored role or binding what a new cluster of this version has; undefined when nothing is missing. Additions
 * by administrators stay; setting the annotation to a value other than "true" excludes an object.
 */
export function bootstrapUpdate(stored: KubeObject, wanted: KubeObject): KubeObject | undefined {
  if (stored.metadata.annotations?.[autoUpdate] !== 'true') return undefined
  if (wanted.kind === 'ClusterRoleBinding') return withSubjects(stored, wanted)
  // The rules of an aggregating role are the sum of other roles' rules.
  return wanted.aggregationRule === undefined ? withRules(stored, wanted) : undefined
}

function withRules(stored: KubeObject, wanted: KubeObject): KubeObject | undefined {
  const held = rulesOf(stored)
  const wantedRules = objectsAt(wanted, 'rules')
  const missing = rulesOf(wanted).flatMap((rule, index) =>
    missingRules(held, [rule]).length === 0 ? [] : [wantedRules[index]],
  )
  return missing.length === 0 ? undefined : { ...stored, rules: [...objectsAt(stored, 'rules'), ...missing] }
}

function withSubjects(stored: KubeObject, wanted: KubeObject): KubeObject | undefined {
  const subjects = objectsAt(stored, 'subjects')
  const missing = objectsAt(wanted, 'subjects').filter((each) => !subjects.some((known) => deepEqual(known, each)))
  if (missing.length === 0 || !deepEqual(stored.roleRef, wanted.roleRef)) return undefined
  return { ...stored, subjects: [...subjects, ...missing] }
}
