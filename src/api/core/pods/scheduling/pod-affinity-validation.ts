import { allErrors, type FieldError, forbiddenField, invalidField, requiredField } from '../../../field-error.ts'
import { validateLabelSelector } from '../../../selectors/label-selector-object.ts'
import type { PodAffinity, PodAffinityTerm } from '../../../types/core-v1.ts'
import type { LabelSelector } from '../../../types/meta-v1.ts'
import { checkLabelName, checkQualifiedName } from '../../field-checks.ts'
import { checkWeight } from '../../nodes/node-selector-validation.ts'

/** Which other Pods a Pod must be near to, or away from: both have the same form. */
export function validatePodAffinity(field: string, affinity: PodAffinity): readonly FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity
  return allErrors(
    required.flatMap((term, index) =>
      validateTerm(`${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, term),
    ),
    preferred.flatMap(({ weight, podAffinityTerm }, index) => {
      const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`
      return allErrors(checkWeight(`${path}.weight`, weight), validateTerm(`${path}.podAffinityTerm`, podAffinityTerm))
    }),
  )
}

function validateTerm(field: string, term: PodAffinityTerm): readonly FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey } = term
  return allErrors(
    labelSelector === undefined ? [] : validateLabelSelector(`${field}.labelSelector`, labelSelector),
    namespaceSelector === undefined ? [] : validateLabelSelector(`${field}.namespaceSelector`, namespaceSelector),
    namespaces.flatMap((name) => checkLabelName(`${field}.namespace`, name)),
    validateLabelKeys(field, term),
    topologyKey === '' ? [requiredField(`${field}.topologyKey`, 'can not be empty')] : [],
    checkQualifiedName(`${field}.topologyKey`, topologyKey),
  )
}

/** Keys whose values are taken from the Pod itself. At this point they are already in the selector. */
function validateLabelKeys(field: string, term: PodAffinityTerm): readonly FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = term
  const unwanted = new Set(mismatchLabelKeys)
  return allErrors(
    checkKeys(`${field}.matchLabelKeys`, matchLabelKeys, labelSelector),
    checkKeys(`${field}.mismatchLabelKeys`, mismatchLabelKeys, labelSelector),
    labelSelector === undefined ? [] : repeatedKeys(field, matchLabelKeys, labelSelector),
    matchLabelKeys.flatMap((key, index) =>
      unwanted.has(key)
        ? [
            invalidField(
              `${field}.matchLabelKeys[${index}]`,
              key,
              'exists in both matchLabelKeys and mismatchLabelKeys',
            ),
          ]
        : [],
    ),
  )
}

function checkKeys(field: string, keys: readonly string[], selector: LabelSelector | undefined): readonly FieldError[] {
  if (keys.length === 0) return []
  if (selector === undefined) return [forbiddenField(field, 'must not be specified when labelSelector is not set')]
  return keys.flatMap((key, index) => checkQualifiedName(`${field}[${index}]`, key))
}

/** A key that was in the selector before it was added again. */
function repeatedKeys(
  field: string,
  keys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
): readonly FieldError[] {
  const places = new Map(keys.map((key, index) => [key, index]))
  const seen = new Set(Object.keys(matchLabels))
  return matchExpressions.flatMap(({ key }) => {
    const index = places.get(key)
    const isRepeated = index !== undefined && seen.has(key)
    seen.add(key)
    return isRepeated
      ? [invalidField(`${field}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector')]
      : []
  })
}
