import { allErrors, type FieldError, invalidFieldAs } from '../../field-error.ts'
import { shortened } from '../../human/shortened.ts'
import { validateQualifiedName } from '../../names.ts'
import { isContainerResource, isNativeResource, isStandardResource } from './resource-names.ts'

/** Names of resources are reported without quotes. */
export function checkResourceName(field: string, name: string): readonly FieldError[] {
  const shown = shortened(name)
  const problems = validateQualifiedName(name)
  if (problems.length > 0) return problems.map((problem) => invalidFieldAs(field, shown, problem))
  if (name.includes('/') || isStandardResource(name)) return []
  return [invalidFieldAs(field, shown, 'must be a standard resource type or fully qualified')]
}

/** The same for resources that a container can request. */
export function checkContainerResourceName(field: string, name: string): readonly FieldError[] {
  const problem = containerProblem(name)
  return allErrors(
    checkResourceName(field, name),
    problem === undefined ? [] : [invalidFieldAs(field, shortened(name), problem)],
  )
}

function containerProblem(name: string): string | undefined {
  if (!name.includes('/')) {
    return isContainerResource(name) ? undefined : 'must be a standard resource for containers'
  }
  const isUsable = isNativeResource(name) || isExtendedResource(name)
  return isUsable ? undefined : "doesn't follow extended resource name standard"
}

/** A quota must be able to name it. */
export function isExtendedResource(name: string): boolean {
  return !name.startsWith('requests.') && validateQualifiedName(`requests.${name}`).length === 0
}
