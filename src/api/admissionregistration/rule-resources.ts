import { type FieldError, invalidField, requiredField } from '../field-error.ts'

/** Resources of a rule and their subresources, such as `pods`, `pods/status` and `pods/*`. */
export function validateRuleResources(field: string, resources: readonly string[]): readonly FieldError[] {
  const beside = (what: string) => invalidField(field, resources, `if ${what}`)
  const lastPlain = resources.findLast((each) => each !== '' && !each.includes('/'))
  return [
    ...(resources.length === 0 ? [requiredField(field)] : []),
    ...coveredErrors(field, resources),
    ...(resources.length > 1 && resources.includes('*/*')
      ? [beside("'*/*' is present, must not specify other resources")]
      : []),
    ...(resources.includes('*') && lastPlain !== '*'
      ? [beside("'*' is present, must not specify other resources without subresources")]
      : []),
  ]
}

/** Entries that an earlier one already covers. */
function coveredErrors(field: string, resources: readonly string[]): readonly FieldError[] {
  const whole = new Set<string>()
  const everywhere = new Set<string>()
  return resources.flatMap((each, index) => {
    const at = `${field}[${index}]`
    if (each === '') return [requiredField(at)]
    const slash = each.indexOf('/')
    if (slash < 0) return []
    const [resource, part] = [each.slice(0, slash), each.slice(slash + 1)]
    const covering = [...(whole.has(resource) ? [`${resource}/*`] : []), ...(everywhere.has(part) ? [`*/${part}`] : [])]
    if (part === '*') whole.add(resource)
    if (resource === '*') everywhere.add(part)
    return covering.map((by) => invalidField(at, each, `if '${by}' is present, must not specify ${each}`))
  })
}
